#include "unit/ordered/tables.hpp"

#define BEADCHECK_NO_MAIN
#include "../apps/beadcheck/beadcheck.cpp"

namespace beadwork {
namespace {

using namespace test;

std::string verdict(const RankedData& data, const std::string& certificate) {
  try {
    return beadcheck::verify(values_text(data), nullptr, certificate);
  } catch (const std::runtime_error& rejected) {
    return std::string("REJECTED: ") + rejected.what();
  }
}

RankedData ages() {
  std::string text = "age,colour,y\n";
  for (int i = 0; i < 12; ++i)
    text += (i == 5 ? "" : std::to_string(i % 8)) + "," + "rgb"[i % 3] + "," + (i % 8 > 2 ? "yes" : "no") + "\n";
  return *rank(parse_table(text, "t.csv")->table);
}

TEST(OrderedCertificate, HasTheClaimAndItsRestrictions) {
  const RankedData data = ages();  // column 0 has ranks 0 to 7 and cuts 0 to 6, the last between 7 and missing
  OrderedOptions options;
  options.depth = 2;
  auto outcome = search_ordered(data, options, {});
  ASSERT_TRUE(outcome && outcome->status == OrderedStatus::optimal);
  const std::string head =
      "beadwork-certificate 2\ndata-sha256 " + sha256(data) + "\nrows 12\ncolumns 4\nclasses 2\ndepth 2\nclaim ";
  EXPECT_TRUE(certificate(data, options, *outcome)
                  ->starts_with(head + std::to_string(outcome->error) + "\nforbidden 0\nrequired 0\nmodel "));
  outcome->status = OrderedStatus::feasible;
  outcome->lower_bound = 0;
  options.forbid = {{0, 3}, {0, 2}, {0, 5}, {2, 0}};
  options.require = {{1, 0}};
  EXPECT_TRUE(certificate(data, options, *outcome)
                  ->starts_with(head + "0\nforbidden 3 0:2-3 0:5 2:0\nrequired 1 1:0\nmodel 0\nend\nsha256 "));
  options.forbid_columns = {0};
  EXPECT_NE(certificate(data, options, *outcome)->find("\nforbidden 2 0:0-6 2:0\n"), std::string::npos);
  options = {};
  options.depth = 2;
  options.candidate_columns = {1};
  options.candidates = {{0, 4}};
  EXPECT_NE(certificate(data, options, *outcome)->find("\nforbidden 4 0:0-3 0:5-6 2:0 3:0\n"), std::string::npos);
}

TEST(OrderedCertificate, SaysWhatItCannotCertify) {
  RankedData data = ages();
  OrderedOptions options;
  const OrderedOutcome outcome;
  options.costs = {0, 1, 2, 0};
  EXPECT_EQ(certificate(data, options, outcome).error().message, "costs cannot be certified");
  options.costs.clear();
  options.require_columns = {0};
  EXPECT_EQ(certificate(data, options, outcome).error().message, "required columns cannot be certified");
  options.require_columns.clear();
  data.complete = false;
  EXPECT_THROW(std::ignore = certificate(data, options, outcome), ContractViolation);
}

TEST(OrderedCertificate, ValuesAreWrittenAsTheyAre) {
  ReadOptions reading;
  reading.weight = "w";
  const auto table = parse_table("w,x y,c,z,l\n1,0.1,u,0,b\n2,,v,1,a\n1,-3e-7,w,1,a\n", "t.csv", reading);
  ASSERT_TRUE(table);
  EXPECT_EQ(values_text(*rank(table->table)),
            "# beadwork values 1\n# class 0 a\n# class 1 b\n# column 0 number x y\n# column 1 test c = u\n"
            "# column 2 test c = v\n# column 3 test c = w\n# column 4 test z\n# weights\n"
            "1 1 0.1 1 0 0 0\n0 2 ? 0 1 0 1\n0 1 -3e-07 0 0 1 1\n");
}

// The optimum is verified, one more rejected with a better set, over random tables and restrictions.
TEST(OrderedCertificate, TheCheckerAgreesOnRandomTables) {
  Rng rng(11);
  std::size_t verified = 0;
  for (int i = 0; i < 1500; ++i) {
    Shape shape = random_shape(rng);
    const auto data = rank(random_table(rng, shape));
    ASSERT_TRUE(data);
    OrderedOptions options;
    options.depth = rng.below(4);
    options.effort.restarts = 2;
    for (const Cut& cut : all_cuts(*data)) {
      if (rng.below(30) == 0 && options.require.size() < options.depth)
        options.require.push_back(cut);
      else if (i % 3 == 0 && rng.below(4) == 0)
        options.forbid.push_back(cut);
      else if (i % 3 == 1 && rng.below(3) == 0)
        options.candidates.push_back(cut);
    }
    options.candidates.insert(options.candidates.end(), options.require.begin(), options.require.end());
    if (i % 3 != 1) options.candidates.clear();
    auto outcome = search_ordered(*data, options, {});
    ASSERT_TRUE(outcome && outcome->status == OrderedStatus::optimal);
    const auto text = certificate(*data, options, *outcome);
    ASSERT_EQ(static_cast<bool>(text), !data->columns.empty());
    if (!text) continue;
    EXPECT_TRUE(verdict(*data, *text).starts_with("VERIFIED lower bound\n")) << verdict(*data, *text) << *text;
    ++verified;
    ++outcome->lower_bound;
    EXPECT_NE(verdict(*data, *certificate(*data, options, *outcome)).find("less than the claim"), std::string::npos);
  }
  EXPECT_GT(verified, 1400u);
}

}  // namespace
}  // namespace beadwork
