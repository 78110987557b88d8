// Work that waits until a part of the page comes near the window, or is printed.
export class WhenSeen {
  private seen = false;

  constructor(element: HTMLElement, private readonly act: () => void) {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((e) => e.isIntersecting)) this.see(observer);
    }, { rootMargin: "400px" });
    observer.observe(element);
    addEventListener("beforeprint", () => this.see(observer));
  }
  private see(observer: IntersectionObserver) {
    if (this.seen) return;
    this.seen = true;
    observer.disconnect();
    this.act();
  }
  // Something has changed: again, if it was done at all.
  again() {
    if (this.seen) this.act();
  }
}
