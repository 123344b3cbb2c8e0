// A game as Unity compiles one: what C# declares with [DllImport("__Internal")] is a plain C function here, and a static method given to it
// is a function pointer. It keeps what it is told until the page asks, since the memory of an answer is gone when the function returns.

#include <emscripten.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*Answer)(int player, int call, const char *json, int length);
extern void PlayerDataRuntime_Create(int player, int call, const char *options, Answer answer);
extern void PlayerDataRuntime_Call(int player, int call, const char *name, const char *args);

typedef struct Told {
  struct Told *next;
  char text[];
} Told;

static Told *first;
static Told **last = &first;

static void hear(int player, int call, const char *json, int length) {
  // A NUL in the middle would mean that the JSON was not escaped, and a game would see half of it.
  if (strlen(json) != (size_t)length) abort();
  Told *told = malloc(sizeof *told + length + 64);
  told->next = NULL;
  sprintf(told->text, "%d %d %s", player, call, json);
  *last = told;
  last = &told->next;
}

/** Strings die with the call, as those that IL2CPP makes do. */
static void forget(char *text) {
  memset(text, '#', strlen(text));
  free(text);
}

EMSCRIPTEN_KEEPALIVE void game_create(int player, int call, const char *options) {
  char *copy = strdup(options);
  PlayerDataRuntime_Create(player, call, copy, hear);
  forget(copy);
}

EMSCRIPTEN_KEEPALIVE void game_call(int player, int call, const char *name, const char *args) {
  char *copy = strdup(name);
  char *rest = strdup(args);
  PlayerDataRuntime_Call(player, call, copy, rest);
  forget(copy);
  forget(rest);
}

/** "player call json", in the order of arrival; NULL when there is no more. It stays the game's until the next call. */
EMSCRIPTEN_KEEPALIVE const char *game_next(void) {
  static Told *given;
  free(given);
  given = first;
  if (!given) return NULL;
  first = given->next;
  if (!first) last = &first;
  return given->text;
}

/** Bytes of the game's memory that are in use. */
EMSCRIPTEN_KEEPALIVE int game_used(void) { return mallinfo().uordblks; }

int main(void) {
  puts("the game has started");
  return 0;
}
