// Attention masks: which earlier positions a head may look at.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace transformer {

/// Strictly causal: position n sees positions m < n, all of them (global) or the last k of them (local).
///
/// A position that sees nothing gets the zero vector, in every engine.
class Mask {
 public:
  static Mask global() { return Mask(0); }
  /// max(1, n-k) <= m < n.  Throws std::invalid_argument unless k >= 1.
  static Mask local(std::uint32_t k) {
    if (k == 0) throw std::invalid_argument("Mask::local: a window of 0 positions");
    return Mask(k);
  }

  bool is_global() const { return window_ == 0; }
  /// k of a local mask, 0 of a global one.
  std::uint32_t window() const { return window_; }
  /// Whether position n sees position m (both counted from 1).
  bool sees(std::uint64_t n, std::uint64_t m) const { return m < n && (is_global() || n - m <= window_); }

  friend bool operator==(const Mask&, const Mask&) = default;

 private:
  explicit Mask(std::uint32_t window) : window_(window) {}
  std::uint32_t window_;
};

/// `global`, `local-3`.
inline std::string to_string(Mask mask) {
  return mask.is_global() ? "global" : "local-" + std::to_string(mask.window());
}

}  // namespace transformer
