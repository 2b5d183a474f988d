// SPDX-License-Identifier: MIT
#include "bridge/json/recall_json.hpp"

#include <cmath>

#include "core/numbers/ranking.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {

Json to_json(const core::RetrievalCertificate& certificate) {
  const auto number_or_null = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  return {{"gap", number_or_null(certificate.gap)},
          {"margin", number_or_null(certificate.margin)},
          {"exact", certificate.exact}};
}

Json activations_json(const core::Memory& memory, const core::Vector& concepts, std::size_t top) {
  Json activations = Json::array();
  for (const core::ConceptId id : core::rank(concepts, top))
    add_to(activations, {{"term", narsese::print(memory.graph()[id].term)}, {"value", concepts[id]}});
  return activations;
}

void add_course(Json& json, const core::Recall& recall) {
  json["energies"] = recall.energies;
  json["iterations"] = recall.iterations;
  json["converged"] = recall.converged;
  if (recall.certificate) json["certificate"] = to_json(*recall.certificate);
  if (recall.left_out)
    json["left_out"] = {{"weight", recall.left_out->weight}, {"certain", recall.left_out->certain}};
  if (recall.period) json["period"] = *recall.period;
  if (!recall.note.empty()) json["note"] = recall.note;
}

}  // namespace engram::bridge
