// SimGrid as an independent oracle for fair-share: the file system is a CPU of speed B, and an I/O
// a computation on it with the priority and the bound bmax. Weighted max-min sharing then gives
// each bmax * x with the largest common x <= 1 that fits: bmax * min(1, B / sum of bmax).
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <simgrid/s4u.hpp>
#include <vector>

extern "C" {
#include "model/outcome.h"
#include "model/timeline.h"
#include "model/workload.h"
#include "policy/policy.h"
#include "sim/sim.h"
}

namespace sg4 = simgrid::s4u;

namespace
{

constexpr double TOLERANCE = 1e-6;

struct Application {
    double bmax, release;
    std::vector<iteration> iterations;
};

using Dates = std::vector<std::vector<double>>; // by application: when each I/O is done

struct Scenario {
    double bandwidth;
    std::vector<Application> applications;
};

// The same on every machine: only the generator of the library is used, not its distributions.
Scenario roll(unsigned seed)
{
    std::mt19937 dice(seed);
    auto between = [&dice](double low, double high) {
        return low + (high - low) * (static_cast<double>(dice()) / 4294967296.0);
    };
    Scenario scenario{100, {}};
    unsigned count = 2 + dice() % 9;
    for (unsigned i = 0; i < count; i++) {
        Application app{dice() % 3 ? between(5, 100) : 100, dice() % 2 ? between(0, 30) : 0, {}};
        unsigned iterations = 1 + dice() % 6;
        for (unsigned k = 0; k < iterations; k++)
            app.iterations.push_back({between(0.5, 20), between(10, 1500)});
        scenario.applications.push_back(app);
    }
    return scenario;
}

Dates run_weir(const Scenario &scenario)
{
    std::vector<struct app> apps(scenario.applications.size());
    for (size_t i = 0; i < apps.size(); i++) {
        const Application &from = scenario.applications[i];
        apps[i].facts.nodes = 1;
        apps[i].facts.weight = 1;
        apps[i].facts.bmax = from.bmax;
        apps[i].facts.release = from.release;
        apps[i].facts.iterations = static_cast<uint32_t>(from.iterations.size());
        apps[i].name = "app";
        apps[i].stride = 1;
        apps[i].iterations = from.iterations.data();
        apps[i].room = INFINITY;
        app_profile(&apps[i]);
    }
    struct workload workload = {};
    workload.platform = {static_cast<double>(apps.size()), INFINITY, scenario.bandwidth};
    workload.apps = apps.data();
    workload.count = static_cast<uint32_t>(apps.size());

    struct err err;
    struct timeline timeline = {};
    struct sim_options options = {};
    options.check = true;
    options.timeline = &timeline;
    struct policy *policy = policy_open("fair-share", &err);
    struct outcome *outcome = policy ? sim_run(&workload, policy, &options, &err) : nullptr;
    if (!outcome) {
        std::fprintf(stderr, "%s\n", err.text);
        std::exit(1);
    }
    // An I/O is done where the next work begins, or at the end.
    Dates dates(apps.size());
    for (size_t i = 0; i < timeline.count; i++) {
        const struct segment &segment = timeline.segments[i];
        const Application &app = scenario.applications[segment.app];
        if (segment.kind == SEGMENT_WORK && segment.start > app.release)
            dates[segment.app].push_back(segment.start);
    }
    for (size_t i = 0; i < apps.size(); i++)
        dates[i].push_back(outcome->apps[i].completion);
    timeline_fini(&timeline);
    outcome_free(outcome);
    policy_free(policy);
    return dates;
}

void live(const Application &app, std::vector<double> &done)
{
    sg4::this_actor::sleep_until(app.release);
    for (const iteration &one : app.iterations) {
        sg4::this_actor::sleep_for(one.work);
        sg4::this_actor::exec_init(one.volume)->set_priority(app.bmax)->set_bound(app.bmax)->wait();
        done.push_back(sg4::Engine::get_clock());
    }
}

// All scenarios in one simulation, each on a host of its own: they do not meet.
std::vector<Dates> run_simgrid(sg4::Engine &engine, const std::vector<Scenario> &scenarios)
{
    std::vector<Dates> dates;
    for (const Scenario &scenario : scenarios)
        dates.emplace_back(scenario.applications.size());
    auto *zone = sg4::create_full_zone("machine room");
    for (size_t s = 0; s < scenarios.size(); s++) {
        auto *host = zone->create_host("fs" + std::to_string(s), scenarios[s].bandwidth)->seal();
        for (size_t i = 0; i < dates[s].size(); i++)
            sg4::Actor::create("app" + std::to_string(i), host, live,
                               std::cref(scenarios[s].applications[i]), std::ref(dates[s][i]));
    }
    zone->seal();
    engine.run();
    return dates;
}

size_t compare(unsigned seed, const Dates &ours, const Dates &theirs)
{
    size_t wrong = 0;
    for (size_t i = 0; i < ours.size(); i++) {
        if (ours[i].size() != theirs[i].size()) {
            std::printf("seed %u, application %zu: %zu I/Os, SimGrid %zu\n", seed, i,
                        ours[i].size(), theirs[i].size());
            return 1;
        }
        for (size_t k = 0; k < ours[i].size(); k++)
            if (std::fabs(ours[i][k] - theirs[i][k]) > TOLERANCE * theirs[i][k]) {
                std::printf("seed %u, application %zu, I/O %zu: %.12g, SimGrid %.12g\n", seed, i, k,
                            ours[i][k], theirs[i][k]);
                wrong++;
            }
    }
    return wrong;
}

} // namespace

int main(int argc, char **argv)
{
    constexpr unsigned SCENARIOS = 60;
    sg4::Engine engine(&argc, argv);
    sg4::Engine::set_config("maxmin/precision:1e-9");
    std::vector<Scenario> scenarios;
    for (unsigned seed = 0; seed < SCENARIOS; seed++)
        scenarios.push_back(roll(seed));
    std::vector<Dates> theirs = run_simgrid(engine, scenarios);
    size_t wrong = 0, dates = 0;
    for (unsigned seed = 0; seed < SCENARIOS; seed++) {
        wrong += compare(seed, run_weir(scenarios[seed]), theirs[seed]);
        for (const auto &of_one : theirs[seed])
            dates += of_one.size();
    }
    std::printf("%u scenarios: %zu of %zu dates differ by more than %g\n", SCENARIOS, wrong, dates,
                TOLERANCE);
    return wrong != 0;
}
