// SPDX-License-Identifier: MIT
#include "experiments/pages/lanes.hpp"

#include "experiments/formats/markup.hpp"

namespace engram::experiments {

std::string lane_mark(const Lane& lane, double at, const char* kind, const std::string& title) {
  const double x = lane.x(at);
  return fill(R"(<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"><title>{}</title></line>)",
              {kind, x, x, Lane::top, Lane::height - Lane::bottom, title});
}

std::string lane_picture(const Lane& lane, const std::string& name, const std::string& first,
                         const std::string& last, const std::string& marks, const std::string& drawn) {
  return fill(R"svg(<figure class="lane"><figcaption>{}</figcaption><svg viewBox="0 0 360 150" role="img"
aria-label="{}">{}<path class="axis" d="M44 8V128H352"/>{}<text x="40" y="16" text-anchor="end">{}</text>
<text x="40" y="128" text-anchor="end">0</text><text x="44" y="144">{}</text>
<text x="352" y="144" text-anchor="end">{}</text></svg></figure>
)svg",
              {name, name, Markup{marks}, Markup{drawn}, fixed(lane.most, 0), first, last});
}

}  // namespace engram::experiments
