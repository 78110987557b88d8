#pragma once
#include <beadwork/formula/cnf.hpp>

#include <string>
#include <string_view>

namespace beadwork {

void append_clause(std::string& out, Clause clause);               // "1 -2 0\n"
void append_name(std::string& out, Var v, std::string_view name);  // "c var 1 name\n"

}  // namespace beadwork
