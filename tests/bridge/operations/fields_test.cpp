// SPDX-License-Identifier: MIT
// Tests of each field of each operation: types, limits, missing and unknown fields. They read the table of operations.
// One test has literal limits instead, so it fails if the table has a wrong limit.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "bridge/operations/operations.hpp"
#include "tests/bridge/operations/field_values.hpp"
#include "tests/bridge/protocol/ask.hpp"

namespace engram::bridge {
namespace {

using nlohmann::json;

// Valid requests which together have every field that the examples in the table of operations lack.
constexpr const char* more_requests[] = {
    R"({"op":"input","narsese":"<tim --> cat>.","dialect":"ona"})",
    R"({"op":"recall","cue":"tim","method":"hopfield","options":{"winners":3},"top":2})",
    R"({"op":"explain","cue":"tim","method":"attention","options":{"beta":2},"top":2})",
    R"({"op":"allocate","of":"concepts","cue":"tim","method":"attention","options":{"beta":2},"capacity":2,"prior":"previous","prior_form":"alpha","alpha":1.5,"temperature":1,"durability":0.5,"fresh":0.1,"select":"threshold","threshold":0.1,"share":0.1,"policy":{"compound":"conducts"},"transfers":3})",
    R"({"op":"allocate","of":"operations","cue":"<tim --> [fed]>!","capacity":2,"eligibility":3})",
    R"({"op":"reason","question":"<tim --> animal>?","method":"attention","options":{"beta":2},"gate":3,"steps":10,"refresh":5,"events":2,"answers":2,"top":2})",
    R"({"op":"links","term":"tim","top":1,"as":"narsese","relation":"goes_with"})",
    R"({"op":"view","top":1,"links":1,"since":0})",
    R"({"op":"snapshot","path":"memory.jsonl","form":"json"})",
    R"({"op":"scores","queries":[[1,2]],"keys":[[3]],"score":"bilinear","wb":[[1],[2]]})",
    R"({"op":"scores","queries":[[1,2]],"keys":[[3]],"score":"additive","wq":[[1,2]],"wk":[[1]],"b":[0.5],"v":[2]})",
    R"({"op":"scores","queries":[[1,2]],"keys":[[3,4]],"score":"dot","precision":"bf16","top":1})",
    R"({"op":"attend","queries":[[1,2]],"keys":[[3,4],[5,6]],"values":[[1],[2]],"allow":[[true,false]],"bias":[[0,1]],"map":"entmax","alpha":1.2,"precision":"double"})",
    R"({"op":"multihead","query":[[1,2]],"key":[[3,4]],"value":[[5,6]],"num_heads":2,"in_proj_weight":[[1,0],[0,1],[1,0],[0,1],[1,0],[0,1]],"in_proj_bias":[0,0,0,0,0,0],"out_proj_weight":[[1,2],[3,4]],"out_proj_bias":[1,1],"allow":[[true]]})",
    R"({"op":"universal","keys":[[1,2]],"values":[[3]],"query":[1,1],"similarity":"dot","separation":"poly","parameter":3})",
    R"({"op":"positional","n":2,"edges":[[0,1,1]],"steps":1,"dimensions":2,"times":[0,1]})",
    R"({"op":"continuous","alpha":1.5,"mu":0.5,"sigma_sq":0.01,"gaussian_basis":{"mu":[0.1],"sigma":[0.2]}})",
    R"({"op":"map","scores":[1,0],"map":"entmax","alpha":1.5,"temperature":2,"prior":[1,2],"prior_form":"alpha","tangent":[1,0]})",
    R"({"op":"map","scores":[1,0],"map":"budget","k":1})",
    R"({"op":"hopfield","cue":[1,-1],"mode":"async","w":[[0,1],[1,0]],"order":[1,0],"field":[0,0],"zero_field":"plus","max_sweeps":3})",
    R"({"op":"hopfield","cue":[1,-1],"mode":"glauber","w":[[0,1],[1,0]],"temperature":1,"sites":[0],"uniforms":[0.5]})",
    R"({"op":"dense","patterns":[[1,-1]],"cue":[1,1],"separation":"polynomial","units":"spins","n":2,"order":[1,0],"max_sweeps":3})",
    R"({"op":"dense","patterns":[[1,-1]],"cue":[0.9,0.5],"separation":"polynomial","units":"continuous","n":2,"beta":1,"step":0.5,"steps":2,"tolerance":0.1})",
    R"({"op":"modern","patterns":[[1,0],[0,1]],"cue":[1,0],"beta":4,"map":"budget","k":1,"alpha":2,"steps":1,"tolerance":0.1,"precision":"float"})",
};

// A protocol with a memory that has the input of the examples, and the list of all valid requests.
struct Asked {
  Protocol protocol;
  std::vector<json> requests;

  Asked() {
    for (const Operation& operation : operations()) requests.push_back(json::parse(operation.example));
    for (const char* request : more_requests) requests.push_back(json::parse(request));
    for (const json& request : requests) {
      const json reply = reply_to(protocol, request);
      INFO(reply.dump());
      CHECK(reply.at("ok") == true);
    }
    reply_to(protocol, forms_of("input").front().example);
  }

  json reply(json request) {
    request["limit"] = {{"milliseconds", 200}};
    return reply_to(protocol, request);
  }
  json reply_with(json request, const std::string& name, const json& value) {
    request[name] = value;
    return reply(std::move(request));
  }
};

TEST_CASE("the examples of all operations succeed in their order, and these tests have every field",
          "[bridge][operations]") {
  std::set<std::pair<const Operation*, std::string>> seen;
  for (const json& request : Asked().requests)
    for (const auto& [name, value] : request.items())
      seen.emplace(&operation_of(Json::parse(request.dump())), name);
  for (const Operation& operation : operations())
    for (const Field& field : operation.fields) {
      CAPTURE(operation.name, field.name);
      CHECK(seen.contains({&operation, field.name}));
    }
}

TEST_CASE("a field of a wrong type or beyond its limits is an error with its pointer",
          "[bridge][operations]") {
  Asked asked;
  for (const json& request : asked.requests)
    for (const Field& field : operation_of(Json::parse(request.dump())).fields) {
      if (!request.contains(field.name)) continue;
      for (const json& value : testing::wrong_values(field)) {
        CAPTURE(request.dump(), field.name, value.dump());
        const std::string error = error_in(asked.reply_with(request, field.name, value));
        CHECK((error == "bad_value /" + field.name || error.starts_with("bad_value /" + field.name + "/")));
      }
    }
}

TEST_CASE("an entry of a wrong type in a list is an error with its pointer", "[bridge][operations]") {
  Asked asked;
  for (const json& request : asked.requests)
    for (const Field& field : operation_of(Json::parse(request.dump())).fields) {
      const bool is_matrix = field.kind == Field::Kind::matrix;
      const bool is_list =
          is_matrix || field.kind == Field::Kind::vector || field.kind == Field::Kind::indices;
      if (!is_list || !request.contains(field.name) || request[field.name].empty()) continue;
      for (const json& wrong : {json("x"), json(nullptr), json::object()}) {
        CAPTURE(request.dump(), field.name, wrong.dump());
        json list = request[field.name];
        (is_matrix ? list[0][0] : list[0]) = wrong;
        const std::string error = error_in(asked.reply_with(request, field.name, list));
        CHECK(error == "bad_value /" + field.name + (is_matrix ? "/0/0" : "/0"));
      }
    }
}

TEST_CASE("a field accepts the values at its limits, and every choice", "[bridge][operations]") {
  Asked asked;
  for (const json& request : asked.requests) {
    const Operation& operation = operation_of(Json::parse(request.dump()));
    for (const Field& field : operation.fields)
      for (const json& value : testing::right_values(field)) {
        if (!request.contains(field.name)) continue;
        CAPTURE(request.dump(), field.name, value.dump());
        const json reply = asked.reply_with(request, field.name, value);
        // A valid value may still be refused because of another field or a limit on the work. The error then does not
        // say which type the field must have.
        if (error_in(reply) == "bad_value /" + field.name)
          CHECK(reply.at("error").at("message").get<std::string>().find("must be a ") == std::string::npos);
      }
  }
}

TEST_CASE("the limits of important fields are these", "[bridge][operations]") {
  struct Limit {
    // JSON lists of values: the field accepts the values in `good` and rejects the values in `wrong`.
    const char *op, *field, *good, *wrong;
  };
  constexpr Limit limits[] = {
      {"recall", "top", "[1,1000000000]", "[0,-1,1.5,1000000001]"},
      {"allocate", "capacity", "[1]", "[0]"},
      {"allocate", "share", "[0,1]", "[-0.5,1.5]"},
      {"allocate", "threshold", "[0,1]", "[-0.5,1.5]"},
      {"allocate", "alpha", "[1,1000]", "[0.5,1001]"},
      {"allocate", "durability", "[0,1]", "[-1,2]"},
      {"allocate", "fresh", "[0,1]", "[-1,2]"},
      {"allocate", "temperature", "[1e-300,1e300]", "[0,-1]"},
      {"allocate", "eligibility", "[1e-300,1e300]", "[0,-1]"},
      {"allocate", "transfers", "[1]", "[0]"},
      {"reason", "gate", "[1]", "[0,-1,1.5]"},
      {"reason", "steps", "[1]", "[0,-1,1.5]"},
      {"reason", "refresh", "[1]", "[0,-1,1.5]"},
      {"reason", "events", "[1]", "[0,-1,1.5]"},
      {"links", "top", "[1]", "[0]"},
      {"view", "top", "[1,2000]", "[0,2001]"},
      {"view", "links", "[0,10000]", "[-1,10001]"},
      {"view", "since", "[0]", "[-1]"},
      {"attend", "alpha", "[1]", "[0.5]"},
      {"multihead", "num_heads", "[1]", "[0]"},
      {"pagerank", "damping", "[0,0.9999]", "[-0.1,1]"},
      {"pagerank", "n", "[2]", "[0,-1,1.5]"},
      {"positional", "steps", "[1]", "[0,-1,1.5]"},
      {"continuous", "alpha", "[1,100]", "[0.99,101]"},
      {"continuous", "sigma_sq", "[1e-300]", "[0,-1]"},
      {"continuous_context", "ridge", "[0]", "[-1]"},
      {"continuous_context", "min_sigma_sq", "[1e-300]", "[0,-1]"},
      {"map", "alpha", "[1]", "[0.99]"},
      {"map", "k", "[1]", "[0,-1,1.5]"},
      {"map", "temperature", "[1e-300]", "[0,-1]"},
      {"sample", "temperature", "[1e-300]", "[0,-1]"},
      {"hebbian", "decay", "[0,1]", "[-0.1,1.5]"},
      {"hebbian", "tau_theta", "[1e-300]", "[0,-1]"},
      {"hebbian", "tau_plus", "[1e-300]", "[0,-1]"},
      {"hebbian", "tau_minus", "[1e-300]", "[0,-1]"},
      {"hopfield", "temperature", "[1e-300]", "[0,-1]"},
      {"dense", "n", "[2]", "[0,2.5]"},
      {"dense", "beta", "[1e-300]", "[0,-1]"},
      {"dense", "step", "[1]", "[0,2]"},
      {"modern", "alpha", "[1]", "[0.5]"},
      {"modern", "beta", "[1e-300]", "[0,-1]"},
      {"modern", "steps", "[1]", "[0]"},
      {"modern", "tolerance", "[0]", "[-1]"},
  };
  Asked asked;
  for (const auto& [op, field, good, wrong] : limits) {
    std::size_t requests = 0;
    for (const json& request : asked.requests) {
      if (request["op"] != op || !request.contains(field)) continue;
      ++requests;
      CAPTURE(request.dump(), field);
      for (const json& value : json::parse(wrong))
        CHECK(error_in(asked.reply_with(request, field, value)) == std::string("bad_value /") + field);
      for (const json& value : json::parse(good)) {
        // A good value may still exceed another limit.
        const json reply = asked.reply_with(request, field, value);
        CHECK(reply.value(json::json_pointer("/error/message"), "").find("must be a ") == std::string::npos);
      }
    }
    CAPTURE(op, field);
    CHECK(requests > 0);
  }
}

TEST_CASE("exactly the required fields may not be missing", "[bridge][operations]") {
  Asked asked;
  for (const Operation& operation : operations())
    for (const Field& field : operation.fields) {
      json request = json::parse(operation.example);
      request.erase(field.name);
      CAPTURE(operation.example, field.name);
      const std::string error = error_in(asked.reply(request));
      if (field.is_required)
        CHECK(error == "missing_field /" + field.name);
      else if (operation.conditions.empty())
        CHECK(error.empty());
    }
}

TEST_CASE("an unknown field is an error that lists the known ones", "[bridge][operations]") {
  Asked asked;
  for (const json& request : asked.requests) {
    const json reply = asked.reply_with(request, "extra", 1);
    CHECK(error_in(reply) == "unknown_field /extra");
    for (const Field& field : operation_of(Json::parse(request.dump())).fields)
      CHECK(reply.at("error").at("message").get<std::string>().find("\"" + field.name + "\"") !=
            std::string::npos);
  }
}

}  // namespace
}  // namespace engram::bridge
