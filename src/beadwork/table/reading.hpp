#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// How the texts of one column stand for values where they do not do so plainly: "1.234,50 €", "31.12.2024", "12 %".
// A column keeps its reading, and so does the model learnt from it: what is predicted later is read alike.
struct Reading {
  enum class Kind {
    plain,     // numbers and categories as they stand
    number,    // with a decimal comma, thousands separators, a currency or a percent sign
    date,      // days since 1970-01-01
    moment,    // a date and a time: seconds since 1970-01-01 00:00
    duration,  // 12:30 or 1:02:03, in units of the last field
    boolean,   // yes/no, TRUE/false, Y/N, 1/0, ... mixed: two levels, one for each truth
    ordinal,   // words in an order, low < medium < high: their places in `levels`, from 0
  };
  enum class Order { year_first, day_first, month_first };

  Kind kind = Kind::plain;
  char decimal = '.';                     // number
  char thousands = 0;                     // number: 0, or one of , . ' and blank, which stands for any kind of blank
  std::string unit = {};                  // number: a currency or %, in front or behind; never part of the value
  Order order = Order::year_first;        // date, moment
  int fields = 0;                         // duration: 2 or 3; moment: 3 where seconds have decimals
  std::vector<std::string> levels = {};   // ordinal: lowest first
  std::vector<std::string> missing = {};  // texts that mean no value in this column; add_missing keeps them sorted
  std::string other = {};         // nominal: the level of every category that is not a level; empty: there is none
  std::vector<double> cuts = {};  // a target of numbers made into classes: its levels are the bins between these

  // Each once and sorted: the rows, and the files that they come in, may be in any order.
  void add_missing(const std::vector<std::string>& texts);
  bool calendar() const { return kind == Kind::date || kind == Kind::moment; }
  friend bool operator==(const Reading&, const Reading&) = default;
};

// The number that a text stands for, if it does so under this reading. (Of an ordinal: the place of the text. What is
// none of its levels counts as above all of them where a model reads it: it fails every test.)
std::optional<double> number_of(const Reading& reading, std::string_view text);
// A threshold as a person writes it under this reading; a date where the number is a day. Rounded down to what the
// reading can tell apart, so that no value lies between it and the number.
std::string text_of(const Reading& reading, double number);
// "dates", "numbers with a decimal comma in €".
std::string words(const Reading& reading);
// Blanks alone; -, n/a, NULL, #N/A, none, ... in any case.
bool stands_for_nothing(std::string_view text);
// yes, TRUE, y, t, on, 1: true; no, false, ...: false; nothing for anything else.
std::optional<bool> truth_of(std::string_view text);
// The shortest plain decimal of the same number: 1.50 is 1.5, -0.0 is 0. Nothing where the text is no plain decimal:
// one with an exponent, a +, or zeros in front.
std::optional<std::string> plain_decimal(std::string_view text);
// What texts of one category have in common where they are not the same to the letter: the shortest plain decimal, or
// true and false in lower case.
std::optional<std::string> same_category(std::string_view text);
// The names of the bins between cuts: "<= 10", "10 to 20", "> 20".
std::vector<std::string> bin_names(const std::vector<double>& cuts);
std::size_t bin_of(const std::vector<double>& cuts, double number);

}  // namespace beadwork
