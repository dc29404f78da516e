#include "cli/engine.hpp"

#include <algorithm>
#include <utility>

namespace cli {
namespace {

constexpr std::size_t most_shared = 32;  // letters of a word whose prefixes are kept

}  // namespace

void EngineOptions::add_to(Options& options) {
  options.choice("--engine", {"reference", "torch"}, engine_,
                 "The declared arithmetic, or LibTorch (reference)");
  options.group("With --engine torch");
  options.choice("--dtype", {"fp32", "fp64", "bf16"}, dtype_, "Number format (fp32)");
  options.choice("--device", {"cpu", "cuda"}, device_, "Where to compute (cpu)");
  options.number("--max-scores", "N", torch_.max_scores,
                 "Most scores of a global head for one word (100,000,000,000: minutes)");
  options.number("--max-memory", "MB", torch_.max_megabytes, "Most memory for one word (4000)", 1,
                 1'000'000'000);
}

void EngineOptions::check() {
  for (const auto& [name, given] :
       {std::pair("--dtype", dtype_.has_value()), std::pair("--device", device_.has_value()),
        std::pair("--max-scores", torch_.max_scores.has_value()),
        std::pair("--max-memory", torch_.max_megabytes.has_value())})
    if (given && !is_torch()) throw UsageError(std::string(name) + " goes with --engine torch");
  if (dtype_) torch_.dtype = *dtype_;
  if (device_) torch_.device = *device_;
}

ModelAnswers::ModelAnswers(const ModelFile& file, const EngineOptions& options)
    : file_(file), torch_(options.torch()) {
  if (file.model().position_kind == transformer::PositionKind::learned)
    longest_word_ = file.model().positions.rows - 1;
  if (options.is_torch())
    companion_.emplace();
  else
    reference_.emplace(file.model());
}

bool ModelAnswers::reference_accepts(const logic::Word& word) {
  if (word.size() > most_shared) return reference_->accepts(word);
  if (reads_.empty()) reads_.push_back(reference_->start());
  const auto end = word.begin() + static_cast<std::ptrdiff_t>(std::min(word.size(), last_.size()));
  const auto same = std::mismatch(word.begin(), end, last_.begin()).first - word.begin();
  reads_.erase(reads_.begin() + same + 1, reads_.end());
  last_.resize(static_cast<std::size_t>(same));
  for (auto i = last_.size(); i < word.size(); ++i) {
    auto reading = reads_.back();
    reading.read(word[i]);
    reads_.push_back(std::move(reading));
    last_.push_back(word[i]);
  }
  return reads_.back().accepts();
}

std::vector<bool> ModelAnswers::operator()(std::span<const logic::Word> words) {
  std::vector<bool> answers(words.size(), false);
  std::vector<logic::Word> asked;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (longest_word_ && words[i].size() > *longest_word_) continue;
    if (reference_) {
      answers[i] = reference_accepts(words[i]);
    } else {
      asked.push_back(words[i]);
      places.push_back(i);
    }
  }
  if (companion_) {
    const std::vector<bool> accepted = companion_->accepts(file_.path(), torch_, asked);
    for (std::size_t i = 0; i < places.size(); ++i) answers[places[i]] = accepted[i];
  }
  return answers;
}

}  // namespace cli
