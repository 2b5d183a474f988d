// SPDX-License-Identifier: MIT
#include "bridge/transport/server.hpp"

#include <unistd.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <filesystem>
#include <functional>
#include <future>
#include <thread>

#include "bridge/conversation/shared_session.hpp"
#include "bridge/protocol/protocol.hpp"
#include "core/numbers/work_budget.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/text.hpp"

using namespace engram;
using namespace std::chrono_literals;
using boost::asio::local::stream_protocol;
using engram::testing::contains;

namespace {

struct Works {
  std::atomic<int> begun = 0, ended = 0, freed = 0;
  std::atomic<std::size_t> held = 0;  // argument of the last charge_message_bytes()
  std::atomic<bool> let_go = false;
};

// A conversation for these tests. It answers "echo" at once, works on "work" until it is cancelled, and on "deaf" until
// the test releases it.
class Worker : public bridge::Conversation {
 public:
  explicit Worker(Works& works) : works_(works) {}
  ~Worker() override { ++works_.freed; }
  std::vector<std::string> answer(std::string_view message) override {
    if (message == "echo") return {"echo"};
    ++works_.begun;
    try {
      while (!works_.let_go)
        message == "work" ? core::charge(core::WorkBudget::quantum) : std::this_thread::sleep_for(1ms);
    } catch (...) {
      ++works_.ended;
      throw;
    }
    ++works_.ended;
    return {"let go"};
  }
  std::string refusal(const std::string& why) const override { return "refused: " + why; }
  bool finished() const override { return false; }
  std::size_t max_message_bytes() const override { return 100; }
  void charge_message_bytes(std::size_t bytes) override {
    if (bytes > 100) throw core::WorkStopped(core::WorkStopped::Reason::bytes, "no room");
    works_.held = bytes;
  }

 private:
  Works& works_;
};

using MakeConversation = std::function<std::unique_ptr<bridge::Conversation>(Works&)>;

// A server that runs in its own thread.
struct Running {
  explicit Running(
      std::chrono::milliseconds grace,
      MakeConversation make = [](Works& works) { return std::make_unique<Worker>(works); })
      : server(options(grace), [this, make](bridge::Transport) { return make(works); }) {
    ended = std::async(std::launch::async, [this] { return server.run(); });
  }
  ~Running() {
    works.let_go = true;
    server.stop();
    ended.wait();
    std::filesystem::remove(path());
  }
  static std::string path() { return "server_test." + std::to_string(getpid()); }
  static bridge::ServerOptions options(std::chrono::milliseconds grace) {
    bridge::ServerOptions options;
    options.unix_path = path();
    options.max_clients = 2;
    options.grace = grace;
    return options;
  }

  Works works;
  bridge::Server server;
  std::shared_future<bool> ended;
};

bool comes_true(const std::function<bool()>& what) {
  for (int i = 0; i < 2000; ++i) {
    if (what()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

struct TestClient {
  TestClient() { socket.connect(stream_protocol::endpoint(Running::path())); }
  void send(const std::string& line) { boost::asio::write(socket, boost::asio::buffer(line + "\n")); }
  // Returns the next line, or "" at the end of the connection.
  std::string receive() {
    boost::system::error_code error;
    const std::size_t size = read_until(socket, boost::asio::dynamic_buffer(received), '\n', error);
    std::string line = received.substr(0, size > 0 ? size - 1 : 0);
    received.erase(0, size);
    return line;
  }
  std::string reply_to(const std::string& line) {
    send(line);
    return receive();
  }
  boost::asio::io_context context;
  stream_protocol::socket socket{context};
  std::string received;
};

// The reply to the only line of a new client. Empty if the server has no free slot and closes the connection.
std::string reply_to_new_client(const std::string& line) {
  try {
    return TestClient().reply_to(line);
  } catch (const boost::system::system_error&) {
    return {};
  }
}

}  // namespace

TEST_CASE("a client is answered while another client's request runs", "[bridge][sockets]") {
  Running running(10s);
  TestClient busy, quick;
  busy.send("deaf");
  REQUIRE(comes_true([&] { return running.works.begun == 1; }));
  CHECK(quick.reply_to("echo") == "echo");
}

TEST_CASE("an incomplete line counts until it is complete, dropped or its client leaves",
          "[bridge][sockets]") {
  Running running(10s);
  const auto held = [&](std::size_t bytes) {
    return comes_true([&] { return running.works.held == bytes; });
  };
  TestClient client;
  const auto send_part = [&](const std::string& part) {
    boost::asio::write(client.socket, boost::asio::buffer(part));
  };
  send_part("ec");
  CHECK(held(4));  // the two bytes "ec" and their copy
  client.send("ho");
  CHECK(client.receive() == "echo");
  CHECK(held(0));
  send_part(std::string(40, 'x'));
  CHECK(held(80));
  send_part(std::string(20, 'x'));
  CHECK(held(0));
  CHECK(client.reply_to("echo") == "refused: no room");
  CHECK(client.reply_to("echo") == "echo");
  send_part("half");
  CHECK(held(8));
  client.socket.close();
  CHECK(held(0));
}

TEST_CASE("the work of a client that disconnects is cancelled, and its slot is freed", "[bridge][sockets]") {
  Running running(10s);
  TestClient other;
  {
    TestClient leaving;
    leaving.send("work");
    REQUIRE(comes_true([&] { return running.works.begun == 1; }));
    TestClient third;
    CHECK(third.receive().starts_with("refused: there are 2 clients"));
  }
  CHECK(comes_true([&] { return running.works.ended == 1 && running.works.freed >= 2; }));
  CHECK(TestClient().reply_to("echo") == "echo");
}

TEST_CASE("a disconnected client keeps its slot while its work cannot be cancelled", "[bridge][sockets]") {
  Running running(10s);
  TestClient other;
  {
    TestClient leaving;
    leaving.send("deaf");
    REQUIRE(comes_true([&] { return running.works.begun == 1; }));
  }
  std::this_thread::sleep_for(500ms);
  CHECK(TestClient().receive().starts_with("refused: "));
  running.works.let_go = true;
  CHECK(comes_true([] { return reply_to_new_client("echo") == "echo"; }));
}

TEST_CASE("a client that closed its sending side still gets its replies", "[bridge][sockets]") {
  Running running(10s);
  TestClient half;
  half.send("deaf");
  half.socket.shutdown(stream_protocol::socket::shutdown_send);
  REQUIRE(comes_true([&] { return running.works.begun == 1; }));
  std::this_thread::sleep_for(500ms);  // long enough for the server to check the connection twice
  running.works.let_go = true;
  CHECK(half.receive() == "let go");
}

TEST_CASE("a stopping server lets work finish within the grace period", "[bridge][sockets]") {
  Running running(20s);
  TestClient client;
  client.send("deaf");
  REQUIRE(comes_true([&] { return running.works.begun == 1; }));
  running.server.stop();
  CHECK(running.ended.wait_for(100ms) == std::future_status::timeout);
  running.works.let_go = true;
  CHECK(client.receive() == "let go");
  CHECK(running.ended.get());
  CHECK_FALSE(std::filesystem::exists(Running::path()));
}

TEST_CASE("a stopping server cancels running work after the grace period and reports success",
          "[bridge][sockets]") {
  Running running(50ms);
  TestClient client;
  client.send("work");
  REQUIRE(comes_true([&] { return running.works.begun == 1; }));
  running.server.stop();
  CHECK(client.receive() == "refused: the server is ending");
  CHECK(running.ended.get());
}

TEST_CASE("a server stops even if a request does not, and reports failure", "[bridge][sockets]") {
  Running running(50ms);
  TestClient client;
  client.send("deaf");
  REQUIRE(comes_true([&] { return running.works.begun == 1; }));
  running.server.stop();
  CHECK_FALSE(running.ended.get());
  CHECK_FALSE(std::filesystem::exists(Running::path()));
}

namespace {

// A conversation on a shared session. At "hold" it asks a question and keeps it open until the test releases it. The
// protocol handles all other lines.
class Holder : public bridge::Conversation {
 public:
  Holder(std::shared_ptr<bridge::SharedSession> shared, Works& works)
      : shared_(std::move(shared)), works_(works), conversation_(bridge::Protocol::on(shared_)) {}
  std::vector<std::string> answer(std::string_view message) override {
    if (message != "hold") return conversation_.answer(message);
    bridge::LimitedWork work({});
    bridge::SharedSession::Snapshot question(*shared_, work, true);
    ++works_.begun;
    while (!works_.let_go) core::charge(core::WorkBudget::quantum);
    return {std::to_string(question.session().memory().statements().size())};
  }
  std::string refusal(const std::string& why) const override { return conversation_.refusal(why); }
  bool finished() const override { return false; }
  std::size_t max_message_bytes() const override { return conversation_.max_message_bytes(); }
  void charge_message_bytes(std::size_t bytes) override { conversation_.charge_message_bytes(bytes); }

 private:
  std::shared_ptr<bridge::SharedSession> shared_;
  Works& works_;
  bridge::Protocol conversation_;
};

// Returns a function that makes Holders of one shared session.
MakeConversation holders() {
  return [shared = std::make_shared<bridge::SharedSession>(std::make_shared<core::Session>())](Works& works) {
    return std::make_unique<Holder>(shared, works);
  };
}

}  // namespace

TEST_CASE("other clients can input and ask while a question runs", "[bridge][sockets][shared]") {
  Running running(10s, holders());
  {
    TestClient busy, quick;
    const auto is_accepted = [&](const std::string& statement) {
      return contains(quick.reply_to(R"({"op":"input","narsese":")" + statement + "\"}"), "\"accepted\":1");
    };
    CHECK(is_accepted("<a --> b>."));
    busy.send("hold");
    CHECK(comes_true([&] { return running.works.begun == 1; }));
    for (int i = 0; i < 5; ++i) {
      CHECK(is_accepted("<c" + std::to_string(i) + " --> d>."));
      CHECK(contains(quick.reply_to(R"({"op":"recall","cue":"d"})"), "\"c" + std::to_string(i) + "\""));
    }
    running.works.let_go = true;  // only now can the question at "hold" end
    CHECK(busy.receive() == "1");
  }
  running.server.stop();
  CHECK(running.ended.get());
}

TEST_CASE("a question of a client that disconnects is cancelled without effect on others",
          "[bridge][sockets][shared]") {
  Running running(10s, holders());
  {
    TestClient quick;
    {
      TestClient leaves;
      leaves.send("hold");
      CHECK(comes_true([&] { return running.works.begun == 1; }));
    }
    CHECK(contains(quick.reply_to(R"({"op":"input","narsese":"<a --> b>."})"), "\"accepted\":1"));
    // The server has two slots. The slot of the client that left becomes free.
    CHECK(comes_true([] { return contains(reply_to_new_client(R"({"op":"stats"})"), "\"statements\":1"); }));
  }
  running.server.stop();
  CHECK(running.ended.get());
}
