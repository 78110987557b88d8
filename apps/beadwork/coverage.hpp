#pragma once
// What of a model's claim a certificate is about.
#include <beadwork/evidence.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// What a certificate speaks of (docs/certificates.md), without its proof. Features by their numbers among all.
struct CertificateScope {
  bool over_values = false;
  std::string data_sha256;
  std::size_t depth = 0;
  std::int64_t bound = 0;
  std::vector<std::size_t> forbidden, required;  // increasing
};
// Nothing where the text is no certificate: that is for beadcheck to say. `ranks` for one over values.
std::optional<CertificateScope> read_scope(std::string_view certificate, const RankedData* ranks);

// Where the claim and the certificate speak of different things, one phrase each; none: it covers the claim.
std::vector<std::string> not_covered(const CertificateScope& certificate, const Model& model, const LearntFrom& learnt);

}  // namespace beadwork
