#include <beadwork/table/arrow_child.hpp>

namespace beadwork::table {

// Modules are never taken from the current folder. Exit code 3: there is no pyarrow.
const char* const kReadArrow = R"script(
import sys
sys.path = [p for p in sys.path if p]
try:
    import pyarrow as pa
except ImportError:
    sys.exit(3)
if tuple(int("".join(c for c in part if c.isdigit()) or 0) for part in pa.__version__.split(".")[:3]) < (14, 0, 1):
    sys.exit("version " + pa.__version__ + " is too old: before 14.0.1 a file could run code; pip install -U pyarrow")
try:
    import pyarrow.csv, pyarrow.parquet, pyarrow.compute as pc
except ImportError:
    sys.exit(3)
import csv, io

def opened(kind, path):
    if kind == "parquet":
        file = pa.parquet.ParquetFile(path)
        return file.schema_arrow, file.iter_batches(65536)
    try:
        file = pa.ipc.open_file(pa.OSFile(path))
        return file.schema, (file.get_batch(i) for i in range(file.num_record_batches))
    except pa.ArrowInvalid as error:
        if "not an Arrow file" not in str(error).replace("Not", "not"):
            raise
        file = pa.ipc.open_stream(pa.OSFile(path))
        return file.schema, file

def kind_of(t):
    if pa.types.is_dictionary(t):
        t = t.value_type
    if pa.types.is_integer(t) or pa.types.is_duration(t):
        return "whole"
    if pa.types.is_floating(t) or pa.types.is_decimal(t):
        return "number"
    if pa.types.is_nested(t) or "binary" in str(t):
        return "other"
    try:
        pa.nulls(0, t).cast(pa.string())
    except pa.ArrowException:
        return "other"
    return "text"

def plain(column):
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    t = column.type
    if kind_of(t) == "other":
        return pa.nulls(len(column), pa.string())
    if pa.types.is_floating(t):
        column = column.cast(pa.float64())
        return pc.if_else(pc.is_nan(column), None, column)
    if pa.types.is_integer(t):
        return column
    if pa.types.is_duration(t):
        return column.cast(pa.int64())
    if pa.types.is_time(t):
        return pc.replace_substring_regex(column.cast(pa.string()), r"[.]0+$", "")
    return column.cast(pa.string())

# The words of an ordered dictionary. The batches may have their own: the longest list counts, and the others must be
# parts of it, in the same order.
def order_of(name, kind, path):
    lists = []
    if kind == "parquet":
        batches = pa.parquet.ParquetFile(path).iter_batches(65536, columns=[name])
    else:
        batches = opened(kind, path)[1]
    for batch in batches:
        words = [w for w in batch.column(batch.schema.get_field_index(name)).dictionary.to_pylist() if w is not None]
        if not lists or words != lists[-1]:
            lists.append(words)
    longest = max(lists, key=len, default=[])
    for words in lists:
        rest = iter(longest)
        if not all(w in rest for w in words):
            sys.exit(f"column {name!r}: its parts have their words in different orders")
    return "\n".join(w.replace("\\", "\\\\").replace("\n", "\\\n") for w in longest)

def is_ordered(t):
    return pa.types.is_dictionary(t) and t.ordered and (pa.types.is_string(t.value_type) or pa.types.is_large_string(t.value_type))

try:
    schema, batches = opened(sys.argv[1], sys.argv[2])
    orders = [order_of(f.name, sys.argv[1], sys.argv[2]) if is_ordered(f.type) and schema.names.count(f.name) == 1 else "" for f in schema]
    out = sys.stdout.buffer
    text = io.StringIO()
    head = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    for line in (schema.names, [kind_of(t) for t in schema.types], [str(t) for t in schema.types], orders):
        head.writerow(line)
    out.write(text.getvalue().encode())
    options = pa.csv.WriteOptions(include_header=False, quoting_style="needed")
    for batch in batches:
        if schema.names and batch.num_rows:
            table = pa.table([plain(c) for c in batch.columns], names=[str(i) for i in range(batch.num_columns)])
            pa.csv.write_csv(table, out, options)
    out.flush()
except BrokenPipeError:
    sys.exit(1)
except Exception as error:
    sys.exit((str(error) or type(error).__name__).splitlines()[0])
)script";

const char* const kWriteArrow = R"script(
import sys
sys.path = [p for p in sys.path if p]
try:
    import pyarrow as pa
except ImportError:
    sys.exit(3)
if tuple(int("".join(c for c in part if c.isdigit()) or 0) for part in pa.__version__.split(".")[:3]) < (14, 0, 1):
    sys.exit("version " + pa.__version__ + " is too old: before 14.0.1 a file could run code; pip install -U pyarrow")
try:
    import pyarrow.csv, pyarrow.parquet
except ImportError:
    sys.exit(3)
try:
    kind, names, types = sys.argv[1], sys.argv[2::2], sys.argv[3::2]
    halves = {name for name, t in zip(names, types) if t == "halffloat"}
    columns = {name: pa.float32() if name in halves else pa.type_for_alias(t) for name, t in zip(names, types)}
    convert = pa.csv.ConvertOptions(column_types=columns, strings_can_be_null=True, quoted_strings_can_be_null=False,
                                    null_values=[""])
    reader = pa.csv.open_csv(sys.stdin.buffer, pa.csv.ReadOptions(block_size=1 << 22),
                             pa.csv.ParseOptions(newlines_in_values=True), convert)
    out = sys.stdout.buffer
    schema = pa.schema([(f.name, pa.float16() if f.name in halves else f.type) for f in reader.schema])
    writer = pa.parquet.ParquetWriter(out, schema) if kind == "parquet" else pa.ipc.new_file(out, schema)
    with writer:
        for batch in reader:
            writer.write_batch(pa.record_batch([c.cast(f.type) for c, f in zip(batch.columns, schema)], schema=schema))
    out.flush()
except Exception as error:
    sys.exit((str(error) or type(error).__name__).splitlines()[0])
)script";

}  // namespace beadwork::table
