// SPDX-License-Identifier: MIT
#include "experiments/training/checkpoint.hpp"

#include "bridge/models/model.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/provenance/provenance.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t version = 1;
constexpr const char* advice = "; train without --resume, or write to another file";

}  // namespace

Checkpoint::Checkpoint(const fs::path& model, const Trainer& trainer)
    : path_(model.string() + ".unfinished"),
      plan_({{"spec", trainer.spec()},
             {"sha256_of_inputs", trainer.sha256_of_inputs()},
             {"program", version_line()}}) {}

std::size_t Checkpoint::resume(Trainer& trainer) const {
  std::error_code ignored;
  if (!fs::exists(path_, ignored)) return 0;
  const auto refuse = [&](const std::string& why) -> SpecError {
    return {"--resume", path_.string() + " " + why + advice};
  };
  const auto json = bridge::read_json(read_file(path_), file_limits);
  if (!json) throw refuse("is no unfinished training: " + json.error().message());
  try {
    bridge::ObjectReader reader((JsonValue(*json)));
    const auto found =
        reader["engram_checkpoint"].required("the format of a checkpoint").whole_number(1, 1'000'000);
    if (found != version)
      throw refuse("is of format " + std::to_string(found) + "; this program reads format " +
                   std::to_string(version));
    reader["sha256"].required("its SHA-256").text();
    if (!bridge::seal_holds(*json))
      throw refuse("is damaged or was changed: its SHA-256 is not that of what it holds");
    const Json& plan = reader["plan"].object().json();
    if (plan != plan_) {
      const Json changes = Json::diff(plan, plan_);
      throw refuse("is a training of another spec, input or build (at " +
                   (changes.empty() ? "the order of members" : changes[0].at("path").get<std::string>()) +
                   ")");
    }
    const JsonValue state = reader["state"];
    reader.refuse_others();
    return trainer.resume(state.object());
  } catch (const bridge::JsonError& error) {
    throw refuse("is no unfinished training: " + error.message());
  } catch (const std::invalid_argument& error) {
    throw refuse(std::string("is no unfinished training: ") + error.what());
  }
}

void Checkpoint::write(Json state) const {
  const Json json =
      bridge::sealed({{"engram_checkpoint", version}, {"plan", plan_}, {"state", std::move(state)}});
  write_file(path_, json.dump() + "\n");
}

void Checkpoint::remove() const { fs::remove(path_); }

}  // namespace engram::experiments
