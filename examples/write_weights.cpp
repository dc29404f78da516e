// Weights by hand: one 1-local head that copies the letter before, and a read-out that accepts the words
// ending in b.  Writes the model to the file named on the command line, and runs what it reads back.
#include "transformer/exact_engine.hpp"
#include "transformer/safetensors.hpp"

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_weights FILE.safetensors\n");
    return 2;
  }
  using transformer::Matrix;
  constexpr std::size_t width = 2;  // coordinate 0: "this is b"; coordinate 1: "the letter before is b"
  transformer::Model model;
  model.alphabet = {"a", "b"};
  model.coordinates = {"b", "Y b"};
  model.embedding = Matrix(3, width);  // a, b, end marker
  model.embedding(1, 0) = 1;

  transformer::Layer layer;
  layer.masks = {transformer::Mask::local(1)};
  layer.query = layer.key = layer.value = Matrix(1, width);
  layer.value(0, 0) = 1;
  layer.query_bias = layer.key_bias = layer.value_bias = {0};
  layer.output = Matrix(width, 1);
  layer.output(1, 0) = 1;
  layer.output_bias = {0, 0};
  layer.expand = Matrix(0, width);  // no feed-forward units
  layer.contract = Matrix(width, 0);
  layer.contract_bias = {0, 0};
  model.layers = {layer};

  model.readout = {0, 2};
  model.readout_bias = -1;

  transformer::save_safetensors(model, argv[1]);
  const transformer::ExactEngine engine(transformer::load_safetensors(argv[1]));
  for (const auto& word : {std::vector<transformer::Letter>{0, 0, 1}, {0, 1, 0}}) {
    for (const auto a : word) std::printf("%s", model.alphabet[a].c_str());
    std::printf(": %s\n", engine.accepts(word) ? "accepted" : "rejected");
  }
}
