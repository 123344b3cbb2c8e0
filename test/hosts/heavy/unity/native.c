// The functions that Unity would find in the page, for a C# program that runs in mono: `__Internal` is mapped to this library. It carries
// each call over a socket to a process that holds the linked game, so that C# speaks with the real plug-ins. A call returns when the page
// has worked on it, with all that it said meanwhile handed on, as in one and the same process; what comes later waits for `page_pump`,
// which is the game's frame.

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef void (*Answer)(int player, int call, const char *json, int length);

static Answer answer;
static int page = -1;
static int32_t sent;
static int32_t done;

static void die(const char *what) {
  perror(what);
  _exit(3);
}

static void put(const void *bytes, size_t length) {
  if (write(page, bytes, length) != (ssize_t)length) die("write to the page");
}

static void get(void *bytes, size_t length) {
  for (size_t at = 0; at < length;) {
    ssize_t got = read(page, (char *)bytes + at, length - at);
    if (got <= 0) die("read from the page");
    at += got;
  }
}

/** One message: an answer, or with a call of -1 the news that the page has worked on so many calls. */
static void hear(void) {
  int32_t head[3];
  get(head, sizeof head);
  if (head[1] == -1) {
    done = head[0];
    return;
  }
  char *json = malloc(head[2] + 1);
  get(json, head[2]);
  json[head[2]] = 0;
  answer(head[0], head[1], json, head[2]);
  memset(json, '#', head[2]);
  free(json);
}

static void say(int player, int call, const char *name, const char *text) {
  if (page < 0) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", getenv("PAGE_SOCKET"));
    page = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(page, (struct sockaddr *)&address, sizeof address) < 0) die("connect to the page");
  }
  int32_t head[4] = {player, call, strlen(name), strlen(text)};
  int32_t mine = ++sent;
  put(head, sizeof head);
  put(name, head[2]);
  put(text, head[3]);
  while (done < mine) hear();
}

void PlayerDataRuntime_Create(int player, int call, const char *options, Answer given) {
  answer = given;
  say(player, call, "create", options);
}

void PlayerDataRuntime_Call(int player, int call, const char *name, const char *args) {
  say(player, call, name, args);
}

/** Hands on what has arrived, and waits for so long at most where nothing has. */
void page_pump(int waitMs) {
  struct pollfd poller = {.fd = page, .events = POLLIN};
  while (page >= 0 && poll(&poller, 1, waitMs) > 0) {
    hear();
    waitMs = 0;
  }
}
