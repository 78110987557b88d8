#include "reading.hpp"
#include "shared_data.hpp"

#include <cstdlib>
#include <filesystem>

namespace beadwork {
namespace {

TEST(Datasets, ThePapersSetsHaveTheirRows) {
  NEED_TABLES("paper");
  const auto known =
      read_table(source_folder() / "tests/reference/optimal_training_error.csv", {.nominal = {"dataset"}});
  ASSERT_TRUE(known) << known.error().to_string();
  const Column& names = known->table.column(*known->table.find("dataset"));
  const Column& rows = known->table.column(*known->table.find("rows"));
  EXPECT_EQ(names.num_rows(), 15U);
  for (std::size_t i = 0; i < names.num_rows(); ++i) {
    const auto file = read_table(paper_table(names.text(i)));
    ASSERT_TRUE(file) << file.error().to_string();
    EXPECT_EQ(file->format, TableFormat::matrix);
    EXPECT_EQ(static_cast<double>(file->table.num_rows()), rows.numbers[i]) << names.text(i);
    EXPECT_EQ(file->table.column(0).levels.size(), 2U);
  }
}

struct Raw {
  const char* name;
  std::size_t rows, columns, classes;
};

TEST(Datasets, TheRawTablesLoad) {
  NEED_TABLES("raw");
  const std::vector<Raw> expected{{"banknote-authentication", 1372, 5, 2},
                                  {"breast-cancer-wisconsin", 699, 10, 2},
                                  {"car-evaluation", 1728, 7, 4},
                                  {"congressional-voting", 435, 17, 2},
                                  {"credit-approval", 690, 16, 2},
                                  {"heart-disease-cleveland", 303, 14, 5},
                                  {"hepatitis", 155, 20, 2},
                                  {"iris", 150, 5, 3},
                                  {"pima-indians-diabetes", 768, 9, 2},
                                  {"statlog-german-credit", 1000, 21, 2},
                                  {"tic-tac-toe", 958, 10, 2},
                                  {"wine", 178, 14, 3}};
  for (const Raw& raw : expected) {
    const auto file = read_table(raw_table(raw.name));
    ASSERT_TRUE(file) << file.error().to_string();
    EXPECT_EQ(file->format, TableFormat::arff);
    EXPECT_EQ(file->table.num_rows(), raw.rows) << raw.name;
    EXPECT_EQ(file->table.num_columns(), raw.columns) << raw.name;
    EXPECT_EQ(file->table.column(*file->table.target()).levels.size(), raw.classes) << raw.name;
  }
}

TEST(Datasets, CreditApprovalHasItsMissingValues) {  // 67, as its documentation at UCI says
  NEED_TABLES("raw");
  const auto file = read_table(raw_table("credit-approval"));
  ASSERT_TRUE(file) << file.error().to_string();
  std::size_t missing = 0;
  for (const Column& column : file->table.columns())
    for (std::size_t row = 0; row < column.num_rows(); ++row) missing += column.missing(row) ? 1 : 0;
  EXPECT_EQ(missing, 67U);
}

TEST(Datasets, NoFileIsForgotten) {
  NEED_TABLES("paper");
  NEED_TABLES("raw");
  for (const char* kind : {"paper", "raw"}) {
    for (const auto& entry : std::filesystem::directory_iterator(*data_folder(kind))) {
      const auto extension = entry.path().extension();
      if (extension != ".txt" && extension != ".arff") continue;
      const auto file = read_table(entry.path());
      EXPECT_TRUE(file) << file.error().to_string();
    }
  }
}

}  // namespace
}  // namespace beadwork
