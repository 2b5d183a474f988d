// SPDX-License-Identifier: MIT
// The headers that most programs need: Narsese, memories, recalls, budgets and kernels. No other header of core includes
// this one.
#pragma once

#include "core/attention/attention.hpp"       // attention weights and outputs
#include "core/budgets/budget_allocator.hpp"  // from a recall to priority, durability, quality
#include "core/graph/concept_graph.hpp"       // concepts and their links
#include "core/graph/memory.hpp"              // statements, episodes, evidence
#include "core/hopfield/modern_hopfield.hpp"  // modern Hopfield networks
#include "core/maps/simplex_map.hpp"          // softmax, sparsemax, entmax, ...
#include "core/methods/method.hpp"            // the list of retrieval methods
#include "core/session/session.hpp"           // a memory in use: start here
#include "narsese/parser.hpp"                 // from text to terms and sentences
#include "narsese/printer.hpp"                // from terms and sentences to text
