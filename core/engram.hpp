// SPDX-License-Identifier: MIT
// What most programs need: Narsese in, recalls and budgets out, and the kernels behind them. Nothing else in core
// includes it.
#pragma once

#include "core/attention/attention.hpp"       // weights and what they bring back
#include "core/budgets/budget_allocator.hpp"  // from recall to priority, durability, quality
#include "core/graph/concept_graph.hpp"       // concepts and their links
#include "core/graph/memory.hpp"              // statements, episodes, evidence
#include "core/hopfield/modern_hopfield.hpp"  // retrieval by attention, with its certificate
#include "core/maps/simplex_map.hpp"          // softmax, sparsemax, entmax, ...
#include "core/methods/methods.hpp"           // every way of deciding what deserves budget
#include "core/session/session.hpp"           // a memory in use: start here
#include "narsese/parser.hpp"                 // text to terms and sentences
#include "narsese/printer.hpp"                // and back
