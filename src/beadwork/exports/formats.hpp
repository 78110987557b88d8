#pragma once
// The formats, one file each. All take a plan whose inputs they can carry.
#include <beadwork/exports/plan.hpp>

namespace beadwork::exports {

Result<std::string> to_c(const Plan& plan);
Result<std::string> to_c_table(const Plan& plan);
Result<std::string> to_c_header(const Plan& plan);
Result<std::string> to_cpp(const Plan& plan);
Result<std::string> to_python(const Plan& plan);
Result<std::string> to_javascript(const Plan& plan);
Result<std::string> to_rust(const Plan& plan);
Result<std::string> to_java(const Plan& plan);
Result<std::string> to_go(const Plan& plan);
Result<std::string> to_r(const Plan& plan);
Result<std::string> to_sql(const Plan& plan);
Result<std::string> to_dbt(const Plan& plan);
Result<std::string> to_verilog(const Plan& plan);
Result<std::string> to_vhdl(const Plan& plan);
Result<std::string> to_blif(const Plan& plan);
Result<std::string> to_aiger(const Plan& plan);
Result<std::string> to_pla(const Plan& plan);
Result<std::string> to_dd_json(const Plan& plan);
Result<std::string> to_dddmp(const Plan& plan);
Result<std::string> to_pmml(const Plan& plan);
Result<std::string> to_formula(const Plan& plan);
Result<std::string> to_sklearn(const Plan& plan);
Result<std::string> to_onnx(const Plan& plan);
Result<std::string> to_text(const Plan& plan);
Result<std::string> to_graphviz(const Plan& plan);
Result<std::string> to_picture(const Plan& plan);
Result<std::string> to_png(const Plan& plan);
Result<std::string> to_pdf(const Plan& plan);

// Committees.
Result<std::string> to_c(const Ballot& ballot);
Result<std::string> to_c_header(const Ballot& ballot);
Result<std::string> to_cpp(const Ballot& ballot);
Result<std::string> to_python(const Ballot& ballot);
Result<std::string> to_javascript(const Ballot& ballot);
Result<std::string> to_rust(const Ballot& ballot);
Result<std::string> to_java(const Ballot& ballot);
Result<std::string> to_go(const Ballot& ballot);
Result<std::string> to_r(const Ballot& ballot);
Result<std::string> to_sql(const Ballot& ballot);
Result<std::string> to_dbt(const Ballot& ballot);
Result<std::string> to_onnx(const Ballot& ballot);

}  // namespace beadwork::exports
