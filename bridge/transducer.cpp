#include "bridge/transducer.hpp"

#include "automata/interner.hpp"
#include "automata/minimize.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace bridge {

void Budget::spend(std::size_t numbers) {
  numbers_ += numbers;
  const bool too_large = numbers_ / 64 > limit_;
  if (states_ == limit_ || too_large) {
    throw std::length_error(
        std::to_string(states_) + " states explored of at most " + std::to_string(limit_) +
        (too_large ? ", in tables of " + std::to_string(numbers_) + " numbers, more than 64 for each of these"
                   : ""));
  }
  ++states_;
  if (report_ && states_ % 4096 == 0) report_(states_);
}

Transducer minimize(const Transducer& machine) {
  const std::size_t columns = std::size_t{machine.letters} + 1;
  const State states = machine.states();
  automata::Interner<std::uint32_t> rows(columns + 1);
  std::vector<State> classes(states);
  std::vector<std::uint32_t> row(columns + 1);
  for (State q = 0; q < states; ++q) {
    std::copy_n(machine.output.begin() + static_cast<std::ptrdiff_t>(q * columns), columns, row.begin());
    row[columns] = q == machine.end ? 1 : 0;
    classes[q] = rows.intern(row).first;
  }
  const std::vector<State> block = automata::coarsest_congruence(machine.letters, machine.next, classes);

  // Breadth-first over the blocks; of the values, those that are still put out.
  Transducer result;
  result.letters = machine.letters;
  result.width = machine.width;
  std::vector<State> number(states, Transducer::no_state);  // by block
  std::vector<State> member{0};
  number[block[0]] = 0;
  std::vector<std::uint32_t> value_number(machine.width == 0 ? 1 : machine.values.size() / machine.width,
                                          Transducer::unread);
  std::uint32_t values = 0;
  for (std::size_t i = 0; i < member.size(); ++i) {
    const State p = member[i];
    if (p == machine.end) result.end = static_cast<State>(i);
    for (Letter a = 0; a < machine.letters; ++a) {
      const State q = machine.next_of(p, a);
      State& n = number[block[q]];
      if (n == Transducer::no_state) {
        n = static_cast<State>(member.size());
        member.push_back(q);
      }
      result.next.push_back(n);
    }
    for (Letter a = 0; a < columns; ++a) {
      const std::uint32_t id = machine.output_of(p, a);
      if (id == Transducer::unread) {
        result.output.push_back(id);
        continue;
      }
      if (value_number[id] == Transducer::unread) {
        value_number[id] = values++;
        const auto value = machine.value(id);
        result.values.insert(result.values.end(), value.begin(), value.end());
      }
      result.output.push_back(value_number[id]);
    }
  }
  return result;
}

Transducer project(const Transducer& machine, std::size_t column, bool at_letters, bool at_end) {
  Transducer result;
  result.letters = machine.letters;
  result.width = 1;
  result.next = machine.next;
  result.end = machine.end;
  automata::Interner<std::uint64_t> values(1);
  std::vector<std::uint32_t> scalar;
  for (std::size_t id = 0; id * machine.width < machine.values.size(); ++id) {
    const Raw x = machine.values[id * machine.width + column];
    const std::uint64_t key[] = {static_cast<std::uint64_t>(x)};
    const auto [number, fresh] = values.intern(key);
    if (fresh) result.values.push_back(x);
    scalar.push_back(number);
  }
  result.output = machine.output;
  const std::size_t columns = std::size_t{machine.letters} + 1;
  for (std::size_t i = 0; i < result.output.size(); ++i) {
    std::uint32_t& id = result.output[i];
    const bool read = i % columns == machine.letters ? at_end : at_letters;
    id = read && id != Transducer::unread ? scalar[id] : Transducer::unread;
  }
  return minimize(result);
}

Transducer product(Letter letters, std::span<const Transducer* const> machines, Budget& budget,
                   const std::function<std::uint32_t(Outputs, Letter a)>& combine) {
  // Machines of one state take no room in the tuples.
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < machines.size(); ++i)
    if (machines[i]->states() > 1) moving.push_back(i);

  Transducer result;
  result.letters = letters;
  automata::Interner<State> tuples(std::max<std::size_t>(1, moving.size()));
  std::vector<State> now(std::max<std::size_t>(1, moving.size()), 0);
  std::vector<State> then(now.size(), 0);
  std::vector<State> all(machines.size(), 0);
  std::vector<std::uint32_t> outputs(machines.size());
  tuples.intern(now);
  budget.spend(now.size() + 2 * letters + 1);
  for (State q = 0; q < tuples.size(); ++q) {
    if (q == result.end) {
      result.next.insert(result.next.end(), letters, q);
      result.output.insert(result.output.end(), std::size_t{letters} + 1, Transducer::unread);
      continue;
    }
    std::copy_n(tuples[q].begin(), now.size(), now.begin());
    for (std::size_t i = 0; i < moving.size(); ++i) all[moving[i]] = now[i];
    for (Letter a = 0; a <= letters; ++a) {
      bool ended = false;
      if (a < letters) {
        for (std::size_t i = 0; i < moving.size(); ++i) {
          const Transducer& machine = *machines[moving[i]];
          then[i] = machine.next_of(now[i], a);
          ended = ended || then[i] == machine.end;
        }
      }
      for (std::size_t i = 0; i < machines.size(); ++i) outputs[i] = machines[i]->output_of(all[i], a);
      result.output.push_back(ended ? Transducer::unread : combine(outputs, a));
      if (a == letters) continue;
      if (ended) std::fill(then.begin(), then.end(), Transducer::no_state);
      const auto [number, fresh] = tuples.intern(then);
      if (fresh) budget.spend(now.size() + 2 * letters + 1);
      if (ended) result.end = number;
      result.next.push_back(number);
    }
  }
  return result;
}

}  // namespace bridge
