// SPDX-License-Identifier: MIT
// Trials of the experiment `sensors`.
#include "experiments/sensors/sensors.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>

#include "experiments/sensors/touchstones.hpp"

namespace engram::experiments::sensors {
namespace {

constexpr std::size_t film_frames = 60, most_steps_a_trial = 100;

Json default_worlds() {
  return Json::array(
      {{{"world", "conditioning"}, {"label", "2 stimuli"}},
       {{"world", "conditioning"}, {"label", "4 stimuli"}, {"stimuli", 4}, {"trials", 160}},
       {{"world", "companions"}},
       {{"world", "reversal"}, {"reversal", 100}, {"trials", 220}},
       {{"world", "reversal"},
        {"label", "reversal, no advice"},
        {"reversal", 100},
        {"trials", 220},
        {"advise", false}},
       {{"world", "drift"}, {"trials", 400}},
       {{"world", "conjunction"}, {"trials", 300}},
       {{"world", "exclusive_or"}, {"label", "exclusive or"}, {"trials", 300}},
       {{"world", "sequence"}, {"trials", 300}, {"pause", 2}, {"rest", 50}},
       {{"world", "t_maze"}, {"label", "T-maze"}, {"pause", 2}, {"rest", 50}},
       {{"world", "delayed"}, {"label", "delayed, 2 steps"}, {"pause", 2}},
       {{"world", "delayed"}, {"label", "delayed, 10 steps"}, {"delay", 10}, {"pause", 0}, {"trials", 200}},
       {{"world", "grid"}, {"trials", 600}, {"things", 20}},
       {{"world", "pong"}, {"trials", 30}, {"pause", 5}}});
}

WorldRuns read_world(SpecObject& object) {
  WorldRuns runs;
  std::vector<std::string> known;
  for (const WorldKind& kind : world_kinds()) known.push_back(kind.name);
  runs.world = object.choice("world", "", known);
  runs.label = object.label(runs.world);
  object.count("trials", runs.trials, 100'000, 2);
  object.count("pass", runs.pass, 1000);
  object.count("pause", runs.pause, 100'000, 0);
  runs.rest = runs.pause;
  object.count("rest", runs.rest, 100'000, 0);
  object.flag("advise", runs.advise);
  WorldOptions& options = runs.options;
  object.count("names", options.names, 10'000);
  const auto is_one_of = [&](std::initializer_list<const char*> names) {
    return std::ranges::find(names, runs.world) != names.end();
  };
  if (is_one_of({"conditioning", "delayed", "reversal", "drift", "companions"}))
    object.count("stimuli", options.stimuli, 8, 2);
  if (is_one_of({"conditioning", "delayed", "reversal", "companions"}))
    object.count("operations", options.operations, 8, 0);
  if (runs.world == "delayed") object.count("delay", options.delay, 10);
  if (runs.world == "reversal") object.count("reversal", options.reversal, 100'000);
  if (runs.world == "drift") object.number("drift", options.drift, 0, 0.5);
  if (runs.world == "companions") {
    object.count("companions", options.companions, 8, 0);
    object.number("fidelity", options.fidelity, 0, 1);
  }
  if (is_one_of({"conjunction", "exclusive_or"})) object.flag("silent", options.silent);
  if (runs.world == "t_maze") object.count("length", options.length, 10, 0);
  if (runs.world == "grid") {
    object.count("width", options.width, static_cast<std::int64_t>(most_grid_side), 3);
    object.count("height", options.height, static_cast<std::int64_t>(most_grid_side), 3);
    object.number("walls", options.walls, 0, 0.4);
    object.count("things", options.things, 100, 0);
  }
  object.refuse_others();
  return runs;
}

void read_filter(SpecObject& object, core::EventFilterOptions& filter) {
  object.count("window", filter.window, 1'000'000);
  object.count("horizon", filter.horizon, 1'000'000);
  object.number("eligibility", filter.eligibility, 0.001, 1e9);
  object.number("caution", filter.outcomes.caution, 1e-6, 1e6);
  object.number("fade", filter.outcomes.fade, 0, 0.999);
  object.number("share", filter.outcomes.share, 0, 0.999);
  object.count("most_together", filter.outcomes.most_together, core::EventPattern::most);
  object.number("by_operation", filter.outcomes.by_operation, 0, 1);
  object.number("together", filter.outcomes.together, 1e-9, 1);
  object.count("patterns", filter.outcomes.patterns, 1'000'000, 16);
  object.number("false_discoveries", filter.outcomes.false_discoveries, 1e-9, 0.999);
  object.number("margin", filter.margin, 0, 1);
  std::string map(core::name_of(core::simplex_maps, filter.map.map));
  map = object.choice("map", map, core::names_in(core::simplex_maps));
  filter.map.map = *core::value_named(core::simplex_maps, map);
  object.number("alpha", filter.map.alpha, 1.001, 1000);
  object.number("temperature", filter.temperature, 1e-6, 1e6);
  object.number("surprise_memory", filter.rates.surprise_memory, 1, 1e9);
  object.number("learning_rate", filter.rates.learning_rate, 1e-9, 1e3);
  object.number("reinforce_rate", filter.rates.reinforce_rate, 1e-9, 1e3);
  object.count("history", filter.rates.history, 64);
  object.count("situations", filter.rates.situations, 10'000);
  object.number("beta", filter.rates.beta, 1e-6, 1e6);
}

SensorsOptions read(SpecReader& reader, Spec& spec) {
  SensorsOptions options;
  reader.labelled("worlds", default_worlds(), "a list of worlds", 0, [&](const JsonValue& given, auto label) {
    SpecObject object(given);
    options.worlds.push_back(read_world(object));
    label(options.worlds.back().label);
    return object.resolved;
  });
  reader.counts("distractors", options.distractors, 0, 100);
  for (const WorldRuns& runs : options.worlds)
    if (*std::ranges::max_element(options.distractors) > runs.options.names)
      throw SpecError(reader.at("distractors"), "must be at most " + std::to_string(runs.options.names) +
                                                    ", the number of names of distractors in the world " +
                                                    runs.label);
  options.policies = reader.names("policies", core::names_in(core::event_policies));
  reader.object("system", [&](SpecObject& object) { options.system = read_acting_system(object); });
  reader.object("filter", [&](SpecObject& object) { read_filter(object, options.filter); });
  reader.flag("touchstones", options.touchstones);
  reader.count("most_to_all", options.most_to_all, 100, 0);
  read_seeds(reader, spec, 8);
  return options;
}

struct SensorsSetting {
  std::size_t world = 0;  // index of the world; for the touchstones: the number of worlds
  std::size_t distractors = 0;
  std::string policy;
  std::uint64_t seed = 1;
};

// One run of a NARS in a world, with a filter between them.
class Life {
 public:
  Life(const WorldRuns& runs, const SensorsSetting& setting, const SensorsOptions& options)
      : runs_(runs),
        world_(make(runs, setting)),
        filter_(options_of(runs, setting, options)),
        actor_(options.system, world_->operations(), setting.seed) {}

  void step() {
    const Sensed sensed = world_->sense();
    ++now_;
    for (std::size_t i = 0; i < sensed.events.size(); ++i)
      arrive(sensed.events[i], std::ranges::find(sensed.relevant, i) != sensed.relevant.end());
    if (!sensed.goal.empty()) filter_.want(filter_.kind(sensed.goal), 1, now_);
    std::vector<std::string> parts;  // events passed on, alone or as part of a compound
    const std::vector<std::string> passed = pass(&parts);
    relevant_ += sensed.relevant.empty() ? 0 : 1;
    relevant_passed_ += std::ranges::any_of(sensed.relevant, [&](std::uint32_t place) {
      return std::ranges::find(parts, sensed.events[place]) != parts.end();
    });
    take_advice();
    const auto operation = actor_.tell(passed, sensed.goal, 0);
    if (operation) filter_.acted(static_cast<core::OperationId>(*operation), now_);
    if (const auto* grid = dynamic_cast<const GridWorld*>(world_.get()))
      frames_.push_back({grid->scene(), parts, operation ? world_->operations()[*operation] : "", 0});
    const Acted acted = world_->act(operation);
    score_ += acted.score;
    if (acted.right) right_.push_back(*acted.right ? 1 : 0);
    if (!frames_.empty()) frames_.back().score = static_cast<std::size_t>(score_);
    if (frames_.size() > film_frames) frames_.pop_front();
    ++now_;
    ++steps_;
    operations_ += operation.has_value();
    for (const std::string& event : acted.events) arrive(event, true);
    if (!acted.events.empty()) actor_.tell(pass(), "", 0);
    const std::uint64_t cycles = acted.right ? runs_.rest : runs_.pause;
    if (cycles > 0) actor_.tell({}, "", cycles);
    now_ += static_cast<core::Moment>(cycles);
  }
  bool is_over() const {
    return right_.size() >= runs_.trials || steps_ >= most_steps_a_trial * runs_.trials;
  }

  Json row() const {
    const core::EventCounts& counts = filter_.counts();
    Json learnt = Json::array();
    std::size_t known = 0, irrelevant = 0;
    for (const auto& link : filter_.model().links(std::numeric_limits<std::size_t>::max())) {
      ++known;
      irrelevant += std::ranges::any_of(link.pattern.parts(), [&](core::EventKind kind) {
        return !mattered_.contains(std::string(filter_.term(kind)));
      });
      if (learnt.size() < most_links)
        learnt.push_back({{"statement", implication(link.pattern, link.operation, link.goal)},
                          {"frequency", link.truth.frequency},
                          {"confidence", link.truth.confidence},
                          {"attention", link.attention}});
    }
    const std::optional<double> single = world_->best_by_one_event();
    return {{"right", right_},
            {"steps", steps_},
            {"score", score_},
            {"chance", world_->chance()},
            {"chance_score", world_->chance_score()},
            {"optimum", world_->optimum()},
            {"optimum_score", world_->optimum_score()},
            {"best_by_one_event", single ? Json(*single) : Json()},
            {"operations", operations_},
            {"other_operations", actor_.more_operations()},
            {"relevant_passed",
             relevant_ == 0 ? 1 : static_cast<double>(relevant_passed_) / static_cast<double>(relevant_)},
            {"advised", advised_},
            {"known", {{"links", known}, {"irrelevant", irrelevant}}},
            {"events", {{"arrived", counts.arrived}, {"passed", counts.passed}}},
            {"learnt", learnt}};
  }
  const std::string& ended() const { return actor_.ended(); }
  std::optional<Json> film() const {
    const auto* grid = dynamic_cast<const GridWorld*>(world_.get());
    if (grid == nullptr) return {};
    return film_json({grid->map(), {frames_.begin(), frames_.end()}});
  }

 private:
  static constexpr std::size_t most_links = 8;

  static std::unique_ptr<World> make(const WorldRuns& runs, const SensorsSetting& setting) {
    WorldOptions options = runs.options;
    options.distractors = setting.distractors;
    return make_world(runs.world, options, setting.seed);
  }
  static core::EventFilterOptions options_of(const WorldRuns& runs, const SensorsSetting& setting,
                                             const SensorsOptions& options) {
    core::EventFilterOptions filter = options.filter;
    filter.policy = *core::value_named(core::event_policies, setting.policy);
    filter.pass = runs.pass;
    filter.advise = runs.advise && filter.policy == core::EventPolicyKind::predictive;
    filter.seed = setting.seed;
    return filter;
  }
  // The term of a pattern as ONA writes it: ((a &/ b) &/ c).
  std::string nested(const core::EventPattern& pattern) const {
    std::string text;
    for (const core::EventKind kind : pattern.parts()) {
      const std::string term(filter_.term(kind));
      text = text.empty() ? term : "(" + text + " &/ " + term + ")";
    }
    return text;
  }
  std::string implication(const core::EventPattern& pattern, std::size_t operation,
                          core::EventKind goal) const {
    return "<(" + nested(pattern) + " &/ " + world_->operations()[operation] + ") =/> " +
           std::string(filter_.term(goal)) + ">";
  }
  void take_advice() {
    std::vector<std::string> advice;
    for (const core::Advice& each : filter_.take_advice())
      advice.push_back(implication(each.pattern, each.operation, each.goal) + ". {" +
                       Json(each.truth.frequency).dump() + " " + Json(each.truth.confidence).dump() + "}");
    advised_ += advice.size();
    if (!advice.empty()) actor_.learn(advice);
  }
  void arrive(const std::string& event, bool relevant) {
    if (relevant) mattered_.insert(event);
    filter_.arrive({filter_.kind(event), now_, relevant}, 0, now_);
  }
  std::vector<std::string> pass(std::vector<std::string>* parts = nullptr) {
    std::vector<std::string> passed;
    for (const core::PassedEvent& event : filter_.pass(now_)) {
      passed.push_back(nested(event.pattern));
      if (parts == nullptr) continue;
      for (const core::EventKind kind : event.pattern.parts()) parts->emplace_back(filter_.term(kind));
    }
    return passed;
  }

  const WorldRuns& runs_;
  std::unique_ptr<World> world_;
  core::EventFilter filter_;
  Actor actor_;
  core::Moment now_ = 0;
  std::size_t steps_ = 0, operations_ = 0, relevant_ = 0, relevant_passed_ = 0, advised_ = 0;
  double score_ = 0;
  std::vector<double> right_;
  std::deque<GridFrame> frames_;    // the last film_frames frames, for the film
  std::set<std::string> mattered_;  // events that were relevant in some step
};

// Trains learners of one theory with all designs of animal learning. The row has their responses and attention.
TrialResult touchstones_of(std::size_t trial, const std::string& name) {
  const Theory& theory = *std::ranges::find(theories(), name, &Theory::name);
  const auto trained = [&](const std::string& design) {
    std::unique_ptr<Conditioner> learner = theory.make();
    train(*learner, design);
    return learner;
  };
  TrialResult result;
  result.time(trial, name, [&] {
    Json row{{"trial", trial}, {"world", touchstones_label}, {"method", name}};
    for (const Touchstone& touchstone : touchstones())
      row["responses"][touchstone.name] = {
          {"group", trained(touchstone.design)->response(touchstone.tested)},
          {"control", trained(touchstone.control_design)->response(touchstone.control_tested)}};
    for (const AttentionProbe& probe : attention_probes())
      row["attention"][probe.name] = {{"before", theory.make()->attention(probe.stimulus)},
                                      {"after", trained(probe.design)->attention(probe.stimulus)}};
    result.rows.push_back(std::move(row));
  });
  return result;
}

class SensorsTrials : public TrialsOf<SensorsOptions> {
 public:
  SensorsTrials(const Spec& spec, const SensorsOptions& options) : TrialsOf(spec, options) {}

  Rejections prepare() override {
    for (std::size_t world = 0; world < options_.worlds.size(); ++world)
      for (const std::size_t distractors : options_.distractors)
        for (const std::string& policy : options_.policies)
          if (policy != "all" || options_.most_to_all == 0 || distractors < options_.most_to_all)
            for (const std::uint64_t seed : spec_.seeds)
              settings_.push_back({world, distractors, policy, seed});
    if (options_.touchstones)
      for (const Theory& theory : theories())
        settings_.push_back({options_.worlds.size(), 0, theory.name, 0});
    return {};
  }
  std::size_t count() const override { return settings_.size(); }

  TrialResult run(std::size_t trial) const override {
    const SensorsSetting& setting = settings_[trial];
    if (setting.world == options_.worlds.size()) return touchstones_of(trial, setting.policy);
    const WorldRuns& runs = options_.worlds[setting.world];
    TrialResult result;
    result.time(trial, setting.policy, [&] {
      Life life(runs, setting, options_);
      while (!life.is_over()) life.step();
      Json row = life.row();
      if (!life.ended().empty()) row["ended"] = life.ended();
      row["trial"] = trial;
      row["world"] = runs.label;
      row["distractors"] = setting.distractors;
      row["method"] = setting.policy;
      row["seed"] = setting.seed;
      if (setting.seed == spec_.seeds.front())
        if (const auto film = life.film()) row["film"] = *film;
      result.rows.push_back(std::move(row));
    });
    return result;
  }

 private:
  std::vector<SensorsSetting> settings_;
};

std::vector<Observation> observe(const Json& row) {
  if (row.at("world") == touchstones_label) {
    std::vector<Observation> all;
    for (const auto& [name, responses] : row.at("responses").items())
      all.push_back({"response of the group, less the control's", row.at("method").get<std::string>(), name,
                     responses.at("group").get<double>() - responses.at("control").get<double>(),
                     touchstones_label});
    return all;
  }
  const auto right = row.at("right").get<std::vector<double>>();
  const std::vector<double> second(right.begin() + static_cast<std::ptrdiff_t>(right.size() / 2),
                                   right.end());
  if (second.empty()) return {};
  return {{"share right, second half", row.at("method").get<std::string>(), row.at("seed").dump(),
           mean(second),
           row.at("world").get<std::string>() + ", " + row.at("distractors").dump() + " distractors"}};
}

}  // namespace

std::optional<std::size_t> trials_to_criterion(const std::vector<double>& right, std::size_t first) {
  for (std::size_t end = first + criterion_window; end <= right.size(); ++end) {
    double sum = 0;
    for (std::size_t i = end - criterion_window; i < end; ++i) sum += right[i];
    if (sum >= static_cast<double>(criterion_right)) return end;
  }
  return {};
}

std::unique_ptr<Experiment> experiment() {
  return make_experiment<SensorsOptions>({"sensors",
                                          read,
                                          make_trials<SensorsTrials>,
                                          conclude_sensors,
                                          {"life by life", observe},
                                          [](const SensorsOptions& options) { return options.policies; }});
}

}  // namespace engram::experiments::sensors
