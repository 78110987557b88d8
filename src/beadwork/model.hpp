#pragma once
// model: what is saved, shipped and asked: a binarizer, a diagram over its tests, and the training rows on each path.
//
//   Model m = *make_model(binarizer, dataset, outcome.features, *outcome.diagram, training, outcome.claim);
//   auto text = to_json(m);                                 // docs/formats.md, docs/model.schema.json
//   auto loaded = model_from_json(text);                    // refuses what is not valid, with a one-line message
//   auto p = predict(*loaded, table);                       // raw rows, columns matched by name
//   p->classes[0], p->paths[0], probabilities(*loaded, p->paths[0])
//
// Feature f of the diagram is test f of the model's binarizer, which holds the selected features in order and nothing
// else. A model file holds no code, no time and no path of the machine it was made on: the same data and options give
// the same bytes.

#include <beadwork/claim.hpp>
#include <beadwork/dataset.hpp>
#include <beadwork/diagram.hpp>
#include <beadwork/table.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace beadwork {

// Of models and committees. 4: what was asked, and the hashes of rows and file. Before that, 3 was a committee, 2 a
// model without these, and in version 1 the claim was no object of its own; all of them are still read.
inline constexpr int kModelVersion = 4;

// What was asked of the engine, as data: the options that decide the answer, where they are not the usual ones, by
// their names in the table of options; costs as one row for each true class.
struct AskedFor {
  using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;
  std::vector<std::pair<std::string, Value>> options = {};
  std::vector<double> costs = {};  // true class x predicted class, in the order of the classes; empty: errors count
  friend bool operator==(const AskedFor&, const AskedFor&) = default;
};

// Of what a model was learnt from.
struct DataHashes {
  std::string rows = {};  // rows_sha256 of the dataset
  std::string file = {};  // SHA-256 of the file's bytes, as sha256sum prints it; empty: there was no single file
  friend bool operator==(const DataHashes&, const DataHashes&) = default;
};

// How the model came to be. Counts are integers; divide by weight_scale for the user's units.
struct Training {
  std::string engine = {};
  std::int64_t seed = 0;
  std::string thresholds = {};  // the rule that made the features
  std::int64_t rows = 0;
  std::int64_t total_weight = 0;
  std::int64_t weight_scale = 1;
  std::int64_t errors = 0;
  DataHashes hashes = {};
  std::string data_sha256 = {};        // of models before version 4 alone: a weaker hash of the rows
  std::int64_t num_features = 0;       // of the 0/1 matrix, written down or not
  std::optional<AskedFor> asked = {};  // absent in models before version 4, and where nobody asked an engine
  friend bool operator==(const Training&, const Training&) = default;
};

// What is said of a model whose file has none.
inline constexpr std::string_view kNoChecksum = "its file has no checksum: anybody may have changed it";

class Model {
 public:
  struct Parts {
    Binarizer binarizer;                      // the selected features, in order
    std::vector<std::size_t> matrix_columns;  // of these features in the 0/1 matrix that was learnt from
    Diagram diagram;
    PathCounts counts;
    Training training;
    Claim claim;
    ReadOptions reading = {};  // how the training table was read; a model needs none, for other ways to make one
    std::vector<std::string> edits = {};   // what a person changed by hand since, in words
    Standing standing = Standing::proven;  // of the claim; not compared, as it is not the model's but the reader's
    bool sealed = true;  // false: its file has no checksum, and does not say that it was changed; not compared either
    friend bool operator==(const Parts& a, const Parts& b) {
      return a.binarizer == b.binarizer && a.matrix_columns == b.matrix_columns && a.diagram == b.diagram &&
             a.counts == b.counts && a.training == b.training && a.claim == b.claim && a.reading == b.reading &&
             a.edits == b.edits;
    }
  };
  // Refuses parts that do not fit together.
  static Result<Model> make(Parts parts);

  const Binarizer& binarizer() const { return parts_.binarizer; }
  const Diagram& diagram() const { return parts_.diagram; }
  const PathCounts& counts() const { return parts_.counts; }
  const Training& training() const { return parts_.training; }
  const Claim& claim() const { return parts_.claim; }
  const ReadOptions& reading() const { return parts_.reading; }
  const std::vector<std::string>& edits() const { return parts_.edits; }
  Standing standing() const { return parts_.standing; }
  bool sealed() const { return parts_.sealed; }
  const std::vector<std::size_t>& matrix_columns() const { return parts_.matrix_columns; }
  const std::vector<std::string>& class_names() const { return parts_.binarizer.class_names(); }
  // What answers cost, true class x predicted class: empty where errors were minimised, and where its file does not
  // say.
  std::span<const double> costs() const;
  std::size_t num_features() const { return parts_.binarizer.num_features(); }
  std::string feature_name(Feature f) const { return parts_.binarizer.feature_name(f); }
  std::vector<std::string> feature_names() const;

  friend bool operator==(const Model&, const Model&) = default;

 private:
  Parts parts_;
};

// `binarizer` made `dataset`; `diagram` speaks of the dataset's features, of which `order` are the selected ones. Of
// the training, engine, seed, thresholds and what was asked are taken as given; the rest is counted here, and the rows
// are hashed where no hash is given.
Result<Model> make_model(const Binarizer& binarizer, const Dataset& dataset, const std::vector<Feature>& order,
                         const Diagram& diagram, Training training, Claim claim, ReadOptions reading = {});

std::string to_json(const Model& model);
std::string to_json(const InputColumn& input);  // as a model file lists its columns
// `name` stands for the file in messages. What a file says of itself is claimed, not proven. Refuses committees.
Result<Model> model_from_json(std::string_view text, const std::string& name = "model");

struct Predictions {
  std::vector<Class> classes;        // one a row
  std::vector<std::uint64_t> paths;  // the path that each row took
  UnseenCounts unseen;               // categories that did not occur in training, by column
};
// The table needs the columns that the diagram tests, and no others.
Result<Predictions> predict(const Model& model, const Table& table);
// How to read a file that is to be predicted: the columns that the diagram tests, with the model's types; like the
// training table, except for what `base` says. Where no value of it showed what quotes mean, a listed text in quotes is
// missing, unless the model knows it as a category or class.
ReadOptions read_options(const Model& model, ReadOptions base = {});

// Shares of the classes among the training rows of a path, or of the nearest branch above it that has rows; equal
// shares if the model was trained on no weight at all.
std::vector<double> probabilities(const Model& model, std::uint64_t path);
std::vector<double> shares_of(const std::vector<std::int64_t>& counts);  // of such rows, where they are counted already

// Diagrams that vote over the tests of one model. The model is that of the optimum, which is the first member; the
// others have their costs, in the units of its claim. The most votes win. A tie goes to the optimum's answer; if that
// is not among the tied classes, to the first of these.
//
//   auto c = committee_of(binarizer, dataset, request, *outcome, *model);   // evidence.hpp
//   auto v = vote(*c, table);
//   v->classes[0], v->votes[0]                                              // the winner; the votes for each class
class Committee {
 public:
  struct Member {
    Diagram diagram;
    std::int64_t cost = 0;
    friend bool operator==(const Member&, const Member&) = default;
  };
  // Refuses parts that do not fit together.
  static Result<Committee> make(Model optimum, std::vector<Member> members, CommitteeClaim claim);

  const Model& optimum() const { return optimum_; }
  const std::vector<Member>& members() const { return members_; }
  const CommitteeClaim& claim() const { return claim_; }
  const std::vector<std::string>& class_names() const { return optimum_.class_names(); }
  std::vector<std::string> features_of(const Member& member) const;  // names of those that it tests

  friend bool operator==(const Committee&, const Committee&) = default;

 private:
  Model optimum_;
  std::vector<Member> members_;
  CommitteeClaim claim_;
};
// What is proven, in one sentence; of a committee: who votes, and what is said of the optimum. How many parts the
// search was run in, the run knows and a model does not.
std::string to_words(const Model& model, std::size_t parts = 1);
std::string to_words(const Committee& committee, std::size_t parts = 1);

struct Votes {
  std::vector<Class> classes;                   // one a row
  std::vector<std::vector<std::size_t>> votes;  // row, class
  UnseenCounts unseen;
};
Result<Votes> vote(const Committee& committee, const Table& table);
// The class that wins with these votes.
Class winner(const std::vector<std::size_t>& votes, Class of_optimum);
ReadOptions read_options(const Committee& committee, ReadOptions base = {});

std::string to_json(const Committee& committee);
using Predictor = std::variant<Model, Committee>;
// What a model file holds.
Result<Predictor> predictor_from_json(std::string_view text, const std::string& name = "model");

// Of more classes than these there is no confusion matrix: it would have millions of cells, nearly all of them 0.
inline constexpr std::size_t kMostConfused = 2000;

// How good are predictions? Weights may be empty (all 1).
struct Evaluation {
  std::vector<std::vector<double>> confusion;  // true class, predicted class: weight; empty: too many classes
  double total = 0;
  double errors = 0;
  std::optional<double> cost;  // of the answers, where they have costs
  double accuracy = 0;
  double balanced_accuracy = 0;  // mean recall of the classes that occur
  struct PerClass {
    double support = 0, precision = 0, recall = 0, f1 = 0;
  };
  std::vector<PerClass> per_class;
};
// costs: of answering k for class j, at j * num_classes + k; empty: none.
Evaluation evaluate(std::span<const Class> truth, std::span<const Class> predicted, std::span<const double> weights,
                    std::size_t num_classes, std::span<const double> costs = {});

}  // namespace beadwork
