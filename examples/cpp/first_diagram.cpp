#include <beadwork/fit.hpp>

#include <iostream>

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "monk.csv";
  beadwork::FitOptions options;
  options.request.run.depth.most = 5;
  const auto fitted = beadwork::fit_file(path, options);
  if (!fitted) {
    std::cerr << fitted.error().to_string() << '\n';
    return 1;
  }
  std::cout << to_words(fitted->outcome.claim) << '\n' << text_diagram(fitted->model);
  const auto rows = beadwork::read_table(path);  // any table with the columns that the diagram asks for
  const auto answers = predict(fitted->model, rows->table);
  std::cout << "first row: " << fitted->model.class_names()[answers->classes[0]()] << '\n';
}
