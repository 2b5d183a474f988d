// SPDX-License-Identifier: MIT
#include "bridge/transport/server.hpp"

#include <unistd.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <filesystem>
#include <future>
#include <thread>

#include "bridge/conversation/shared_session.hpp"
#include "bridge/protocol/protocol.hpp"
#include "core/numbers/work_budget.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace std::chrono_literals;
using boost::asio::local::stream_protocol;

namespace {

struct Works {
  std::atomic<int> begun = 0, ended = 0, freed = 0;
  std::atomic<std::size_t> held = 0;  // bytes of the last charge_message_bytes()
  std::atomic<bool> let_go = false;
};

// Test conversation: answers "echo" at once, works on "work" until it is cancelled, and on "deaf" until the test
// releases it.
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

// A server that runs in its own thread.
struct Running {
  explicit Running(std::chrono::milliseconds grace)
      : server(options(grace), [this](bridge::Transport) { return std::make_unique<Worker>(works); }) {
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

struct TestClient {
  TestClient() { socket.connect(stream_protocol::endpoint(Running::path())); }
  void send(const std::string& line) { boost::asio::write(socket, boost::asio::buffer(line + "\n")); }
  // The next line; empty at the end of the connection.
  std::string receive() {
    boost::system::error_code error;
    const std::size_t size = read_until(socket, boost::asio::dynamic_buffer(heard), '\n', error);
    std::string line = heard.substr(0, size > 0 ? size - 1 : 0);
    heard.erase(0, size);
    return line;
  }
  boost::asio::io_context context;
  stream_protocol::socket socket{context};
  std::string heard;
};

bool comes_true(const std::function<bool()>& what) {
  for (int i = 0; i < 2000; ++i) {
    if (what()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

}  // namespace

TEST_CASE("a client is answered while another client's request runs", "[bridge][sockets]") {
  Running running(10s);
  TestClient busy, quick;
  busy.send("deaf");
  REQUIRE(comes_true([&] { return running.works.begun == 1; }));
  quick.send("echo");
  CHECK(quick.receive() == "echo");
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
  CHECK(held(4));  // including its copy
  client.send("ho");
  CHECK(client.receive() == "echo");
  CHECK(held(0));
  send_part(std::string(40, 'x'));
  CHECK(held(80));
  send_part(std::string(20, 'x'));
  CHECK(held(0));
  client.send("echo");
  CHECK(client.receive() == "refused: no room");
  client.send("echo");
  CHECK(client.receive() == "echo");
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
  TestClient next;
  next.send("echo");
  CHECK(next.receive() == "echo");
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
  CHECK(comes_true([] {
    try {
      TestClient next;
      next.send("echo");
      return next.receive() == "echo";
    } catch (const boost::system::system_error&) {  // refused: no free slot yet
      return false;
    }
  }));
}

TEST_CASE("a client that closed its sending side still gets its replies", "[bridge][sockets]") {
  Running running(10s);
  TestClient half;
  half.send("deaf");
  half.socket.shutdown(stream_protocol::socket::shutdown_send);
  REQUIRE(comes_true([&] { return running.works.begun == 1; }));
  std::this_thread::sleep_for(500ms);  // time for two checks of the connection
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

// A conversation on a shared session that asks a question at "hold" and keeps it open until the test releases it. The
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

}  // namespace

TEST_CASE("other clients can input and ask while a question runs", "[bridge][sockets][shared]") {
  Works works;
  const auto shared = std::make_shared<bridge::SharedSession>(std::make_shared<core::Session>());
  bridge::Server server(Running::options(10s),
                        [&](bridge::Transport) { return std::make_unique<Holder>(shared, works); });
  auto ended = std::async(std::launch::async, [&] { return server.run(); });
  {
    TestClient busy, quick;
    quick.send(R"({"op":"input","narsese":"<a --> b>."})");
    CHECK(quick.receive().find("\"accepted\":1") != std::string::npos);
    busy.send("hold");
    CHECK(comes_true([&] { return works.begun == 1; }));
    for (int i = 0; i < 5; ++i) {
      quick.send(R"({"op":"input","narsese":"<c)" + std::to_string(i) + R"( --> d>."})");
      CHECK(quick.receive().find("\"accepted\":1") != std::string::npos);
      quick.send(R"({"op":"recall","cue":"d"})");
      CHECK(quick.receive().find("\"c" + std::to_string(i) + "\"") != std::string::npos);
    }
    works.let_go = true;  // only now can the first question end
    CHECK(busy.receive() == "1");
  }
  server.stop();
  CHECK(ended.get());
}

TEST_CASE("a question of a client that disconnects is cancelled without effect on others",
          "[bridge][sockets][shared]") {
  Works works;
  const auto shared = std::make_shared<bridge::SharedSession>(std::make_shared<core::Session>());
  bridge::Server server(Running::options(10s),
                        [&](bridge::Transport) { return std::make_unique<Holder>(shared, works); });
  auto ended = std::async(std::launch::async, [&] { return server.run(); });
  {
    TestClient quick;
    {
      TestClient leaves;
      leaves.send("hold");
      CHECK(comes_true([&] { return works.begun == 1; }));
    }
    quick.send(R"({"op":"input","narsese":"<a --> b>."})");
    CHECK(quick.receive().find("\"accepted\":1") != std::string::npos);
    // Its slot, one of two, becomes free.
    CHECK(comes_true([&] {
      try {
        TestClient next;
        next.send(R"({"op":"stats"})");
        return next.receive().find("\"statements\":1") != std::string::npos;
      } catch (const std::exception&) {
        return false;  // a connection without a slot is closed at once
      }
    }));
  }
  server.stop();
  CHECK(ended.get());
}
