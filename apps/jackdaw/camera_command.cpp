// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// jackdaw camera: point a camera at a thing, teach it, and it is known.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "jackdaw/commands.hpp"
#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/jackdaw.hpp"
#include "jackdaw/shared_files.hpp"
#include "jackdaw/state_argument.hpp"
#include "live/local/terminal.hpp"
#include "live/local/window.hpp"
#include "live/server/server.hpp"
#include "live/service/service_report.hpp"
#include "live/session/session.hpp"
#include "live/source/cameras.hpp"
#include "live/source/source_uri.hpp"
#include "live/steady_clock.hpp"

namespace jackdaw::app {
namespace {

struct CameraOptions {
  live::SourceOptions source;
  std::string encoder = kDefaultEncoder;
  std::string listen = "127.0.0.1:8000";
  live::ServerOptions server;
  live::SessionOptions session;
  bool headless = false, window = false;
};

volatile std::sig_atomic_t stop_asked = 0;

void ask_to_stop(int) { stop_asked = 1; }

// "8000", "127.0.0.1:8000", "[::1]:8000", "0.0.0.0"
void read_listen(const std::string& text, live::ServerOptions& server) {
  const auto wrong = [&] {
    throw SettingsError("--listen " + text + ": give ADDRESS:PORT, for instance 127.0.0.1:8000");
  };
  std::string address = text, port;
  const std::size_t colon = text.rfind(':');
  const std::size_t bracket = text.rfind(']');
  const bool has_port = colon != std::string::npos &&
                        (bracket != std::string::npos ? colon > bracket : text.find(':') == colon);
  if (has_port) {
    address = text.substr(0, colon);
    port = text.substr(colon + 1);
    if (port.empty()) wrong();
  } else if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos) {
    address.clear();
    port = text;
  }
  if (!address.empty() && address.front() == '[') {
    if (address.back() != ']') wrong();
    address = address.substr(1, address.size() - 2);
  }
  if (!address.empty()) server.address = address;
  if (port.empty()) return;
  if (port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos) wrong();
  server.port = std::stoi(port);
  if (server.port > 65535) wrong();
}

bool on_loopback(const std::string& address) {
  return address.rfind("127.", 0) == 0 || address == "::1" || address == "localhost";
}

std::string choose_source() {
  const std::vector<live::FoundCamera> cameras = live::list_cameras();
  if (cameras.empty()) {
    std::printf("no camera found; showing demo://, things that jackdaw draws itself\n");
    return "demo://";
  }
  std::printf("camera: %s (%s)\n", cameras.front().uri.c_str(), cameras.front().name.c_str());
  return cameras.front().uri;
}

void run_until_asked(const CameraOptions& o, live::Session& session, live::ServiceReport& service) {
  std::optional<live::Window> window;
  std::optional<live::Terminal> terminal;
  if (o.window) window.emplace(session);
  if (o.headless) terminal.emplace(session);
  constexpr double kTurn = 0.1;  // seconds
  while (stop_asked == 0) {
    if (o.headless && session.ended()) break;
    service.turn(session, session.turns(), live::steady_seconds());
    if (window) {
      window->turn();
      if (window->quit()) break;
    } else if (terminal) {
      terminal->turn(kTurn);
      if (terminal->quit()) break;
    } else {
      live::sleep_seconds(kTurn);
    }
  }
}

void say_what_is_known(const live::Session& session) {
  const live::State state = session.state();
  std::printf("%zu classes in %s\n", state.classes.size(), state.state_folder.c_str());
  for (const live::ClassCard& card : state.classes) {
    std::printf("  %s: %lld pictures\n", card.name.c_str(), static_cast<long long>(card.examples));
  }
}

void run_camera(CameraOptions o) {
  if (o.source.uri.empty()) o.source.uri = choose_source();
  if (o.session.classroom.state_folder.empty()) {
    o.session.classroom.state_folder = default_state_folder();
  }
  const live::SourceKind kind = live::parse_source_uri(o.source.uri).kind;
  o.session.camera = kind == live::SourceKind::kCsi || kind == live::SourceKind::kV4l2 ||
                     kind == live::SourceKind::kRtsp || kind == live::SourceKind::kRtp;
  read_listen(o.listen, o.server);
  o.server.page_folder = shared_file("page");
  if (!on_loopback(o.server.address) && o.server.token.empty()) {
    o.server.token = live::make_token();
  }
  live::ServiceReport service(live::NotifySocket::from_environment(),
                              live::watchdog_seconds_from_environment());

  live::Session session(o.session, live::open_source(o.source),
                        make_encoder(find_encoder(o.encoder)));
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  std::signal(SIGPIPE, SIG_IGN);
  session.start();
  {
    std::optional<live::Server> server;
    if (!o.headless) {
      server.emplace(o.server, session);
      std::printf("page: %s\n", server->url().c_str());
      std::fflush(stdout);
    }
    run_until_asked(o, session, service);
    service.stopping();
  }
  const bool safe = session.stop();
  say_what_is_known(session);
  if (!safe) {
    throw StateError(o.session.classroom.state_folder +
                     ": what was taught last could not be written to the disk");
  }
}

void add_source_options(CLI::App& command, CameraOptions& o) {
  command.add_option("--source", o.source.uri,
                     "csi://0, v4l2:///dev/video0, rtsp://..., a video, a folder of pictures, or "
                     "demo://; not given: the first camera, or demo://");
  command.add_option("--width,--input-width", o.source.width, "Asked of the camera");
  command.add_option("--height,--input-height", o.source.height, "Asked of the camera");
  command.add_option("--rate,--input-rate", o.source.rate, "Frames a second");
  command
      .add_option("--flip,--input-flip", o.source.flip,
                  "none, rotate-90, rotate-180, rotate-270, horizontal, vertical")
      ->capture_default_str();
  command.add_option("--loop,--input-loop", o.source.loop,
                     "Files: play again so often; -1: for ever");
}

void add_learning_options(CLI::App& command, CameraOptions& o) {
  command.add_option("--encoder", o.encoder, "Its name or manifest; see 'jackdaw engine list'")
      ->capture_default_str();
  live::ClassroomOptions& room = o.session.classroom;
  command.add_option("--state", room.state_folder,
                     "Where what is learned is kept; not given: ~/.local/state/jackdaw/camera");
  command.add_option("--classes", room.max_classes, "Room for so many classes")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command
      .add_option("--variations", room.variations.count,
                  "Teach so many variations of each taught frame, too; 0: none")
      ->check(CLI::Range(0, 16))
      ->capture_default_str();
  command
      .add_option("--unknown-below", room.unknown_below,
                  "Answer \"unknown\" below this typicality; -1000: never")
      ->check(CLI::Range(-1000.0F, 1000.0F))
      ->capture_default_str();
  command.add_option("--record", o.session.record_folder,
                     "Keep the taught pictures here as train/CLASS/*.png, for 'jackdaw replay'");
  command.add_flag("--teach-folders", o.session.teach_names,
                   "A folder of pictures: teach each as the class its folder names");
}

}  // namespace

void add_camera_command(CLI::App& program) {
  auto o = std::make_shared<CameraOptions>();
  CLI::App* command = program.add_subcommand(
      "camera", "Show it things, teach them, and see what it knows; a page in the browser");
  add_source_options(*command, *o);
  add_learning_options(*command, *o);
  command->add_option("--listen", o->listen, "Where the page and the API are served")
      ->capture_default_str();
  command->add_option("--token", o->server.token,
                      "What others must show; made and printed where --listen is not this machine");
  command
      ->add_option("--allow-host", o->server.allow_hosts,
                   "Names of this device that browsers may use, with commas")
      ->delimiter(',');
  CLI::Option* headless =
      command->add_flag("--headless", o->headless, "No page: keys 1-9, u and q in the terminal");
  command->add_flag("--window", o->window, "Show the picture on the display, too")
      ->excludes(headless);
  command->footer(
      "Example: jackdaw camera --source v4l2:///dev/video0 --state ~/workshop\n"
      "Bulk:    jackdaw camera --source pictures/ --rate 1000 --teach-folders --headless");
  command->callback([o] { run_camera(*o); });
}

}  // namespace jackdaw::app
