#pragma once
// Parquet and Arrow files, by pyarrow in a child process: python3, or what BEADWORK_PYTHON names, runs a script of ours
// that writes the table as CSV to a pipe, with the names, kinds, types and orders of the columns in four lines before
// the rows. Texts are quoted and missing values are not, so that neither is taken for the other. pyarrow is the one
// library that reads all of these formats and that a user can install (pip install pyarrow); Debian 12 has neither
// Arrow nor DuckDB. Linking it would tie this library to one version of its C++.
#include <beadwork/table/rows.hpp>

namespace beadwork::table {

enum class ArrowKind { none, parquet, arrow };
ArrowKind arrow_kind(std::string_view start);  // by the first bytes
ArrowKind arrow_kind_of(const std::string& path);

Result<std::unique_ptr<ByteStream>> arrow_stream(const std::string& path, ArrowKind kind);
Result<std::unique_ptr<ByteStream>> arrow_stream(std::string_view text, const std::string& name, ArrowKind kind);

// The text of a table: that of the file, or what pyarrow makes of it.
struct TableBytes {
  std::unique_ptr<ByteStream> stream;
  bool from_arrow = false;
  std::string_view encoding = {};  // that it had; empty: UTF-8

  void describe(Source& source) const {
    if (from_arrow) source.is_from_arrow();
    source.was_encoded(encoding);
  }
};
Result<TableBytes> open_bytes(const std::string& path, const std::string& encoding, const Control& control);
// The same of a pipe or of what was packed. pyarrow begins at the end of a file, so it gets all of it from memory.
Result<TableBytes> bytes_of(std::unique_ptr<ByteStream> stream, const std::string& name, const std::string& encoding,
                            const Control& control);

// The table behind those four lines.
Result<OpenTable> open_arrow(const Source& source, std::vector<std::string>& notes);

}  // namespace beadwork::table
