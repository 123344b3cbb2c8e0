#if !UNITY_WEBGL || UNITY_EDITOR
// In the Editor, and on platforms other than WebGL, there is no page to run the runtime in. So that a game compiles and plays there, this
// answers in its place: nothing is signed, sent or stored. It follows the runtime's order of things: events come before the answer that
// they belong to, and tasks complete in a later frame where there are frames.

using System;
using System.Collections.Generic;
using System.Threading;
using UnityEngine;

namespace PlayerDataRuntime
{
    /// <summary>What the stand-in of the Editor answers, and what it has been asked. Not there in WebGL builds.</summary>
    public static class PlayerDataStandIn
    {
        private static readonly List<TrackedEvent> tracked = new List<TrackedEvent>();
        private static readonly List<string> asked = new List<string>();
        private static readonly Queue<PlayerDataException> failures = new Queue<PlayerDataException>();
        private static bool hasSaidSo;

        /// <summary>The session of the next login, as JSON. <c>expiresAt</c> is in an hour unless it says otherwise.</summary>
        public static string SessionJson { get; set; }

        /// <summary>The status from now on, as the service would send it.</summary>
        public static string StatusJson { get; set; }

        /// <summary>The store from now on, as the service would send it.</summary>
        public static string StoreJson { get; set; }

        /// <summary>Every event that was taken since the last <see cref="Reset"/>.</summary>
        public static IReadOnlyList<TrackedEvent> Tracked => tracked;

        /// <summary>Every call since the last <see cref="Reset"/>, by the runtime's own name: <c>login</c>, <c>fetchStatus</c>, ...</summary>
        public static IReadOnlyList<string> Calls => asked;

        static PlayerDataStandIn()
        {
            Reset();
        }

        /// <summary>The next call that could fail for want of a network does so.</summary>
        public static void FailNext(PlayerDataErrorCode code, string message, int? status = null)
        {
            failures.Enqueue(new PlayerDataException(code, message, status));
        }

        /// <summary>As at the start.</summary>
        public static void Reset()
        {
            tracked.Clear();
            asked.Clear();
            failures.Clear();
            SessionJson = @"{ ""userId"": ""editor-player"", ""deviceId"": ""editor-device"", ""gameId"": ""editor-game"",
                ""tenantId"": ""editor-tenant"", ""offline"": false }";
            StatusJson = @"{ ""isPayer"": { ""value"": false, ""defaultValue"": false, ""expiredAt"": null } }";
            StoreJson = @"{ ""activeSkus"": [{ ""skuId"": ""sample_gems"", ""name"": ""Sample gems"", ""description"": ""From the stand-in."",
                ""actualPrice"": 1.99, ""offerPrice"": 1.49, ""currency"": ""EUR"", ""assets"": [], ""active"": true }],
                ""lastUpdatedTimestamp"": 0, ""userSpecificPromoId"": null, ""fallbackConfig"": null }";
        }

        public sealed class TrackedEvent
        {
            public string Type { get; }

            /// <summary>As Json.Read gives it.</summary>
            public IReadOnlyDictionary<string, object> Payload { get; }

            internal TrackedEvent(string type, IReadOnlyDictionary<string, object> payload)
            {
                Type = type;
                Payload = payload;
            }
        }

        internal sealed class StandInHost : IHost
        {
            private readonly Dictionary<int, StandInPlayer> players = new Dictionary<int, StandInPlayer>();

            public void Create(int player, int call, string options)
            {
                if (!hasSaidSo)
                {
                    hasSaidSo = true;
                    Debug.LogWarning("Player Data Runtime: this is not a WebGL build, so a stand-in answers with sample data. Nothing is sent or kept.");
                }
                players[player] = new StandInPlayer(player);
                Answer(player, call, null);
            }

            public void Call(int player, int call, string name, string args)
            {
                asked.Add(name);
                var isNow = name == "track" || name == "stats" || name == "setConsent";
                Action run = () =>
                {
                    try
                    {
                        if (!isNow && name != "close" && failures.Count > 0) throw failures.Dequeue();
                        Answer(player, call, players[player].Perform(name, (List<object>)Json.Read(args)));
                    }
                    catch (PlayerDataException error)
                    {
                        Fail(player, call, error);
                    }
                };
                var frames = SynchronizationContext.Current;
                if (isNow || frames == null) run();
                else frames.Post(_ => run(), null);
            }

            private static void Answer(int player, int call, object value)
            {
                PlayerDataClient.Hear(player, call, Json.Write(new Dictionary<string, object> { { "value", value } }));
            }

            private static void Fail(int player, int call, PlayerDataException error)
            {
                var plain = new Dictionary<string, object>
                {
                    { "code", Words.ErrorCodes[(int)error.Code] }, { "message", error.Message }, { "status", error.Status },
                };
                PlayerDataClient.Hear(player, call, Json.Write(new Dictionary<string, object> { { "error", plain } }));
            }
        }

        private sealed class StandInPlayer
        {
            private readonly int number;
            private bool isLoggedIn;
            private string consent = "granted";
            private long buffered;
            private long delivered;
            private string state = "signed-out";

            public StandInPlayer(int number)
            {
                this.number = number;
            }

            public object Perform(string name, List<object> args)
            {
                switch (name)
                {
                    case "login":
                        return LogIn();
                    case "logout":
                        LogOut();
                        return null;
                    case "fetchStatus":
                        return Fetch("status", StatusJson);
                    case "fetchStore":
                        return Fetch("store", StoreJson);
                    case "track":
                        Track(args);
                        return null;
                    case "flush":
                        return Flush();
                    case "setConsent":
                        consent = (string)args[0];
                        return null;
                    case "stats":
                        return new Dictionary<string, object>
                        {
                            { "buffered", buffered }, { "delivered", delivered }, { "durability", "memory" }, { "state", state },
                        };
                    case "close":
                        Enter("closed");
                        return null;
                    default:
                        return null;
                }
            }

            private object LogIn()
            {
                var session = (Dictionary<string, object>)Json.Read(SessionJson);
                if (!session.ContainsKey("expiresAt")) session["expiresAt"] = DateTimeOffset.UtcNow.AddHours(1).ToUnixTimeMilliseconds();
                isLoggedIn = true;
                Tell("status", Json.Read(StatusJson));
                Tell("store", Json.Read(StoreJson));
                Tell("session", session);
                Enter("online");
                return session;
            }

            private void LogOut()
            {
                if (!isLoggedIn) return;
                isLoggedIn = false;
                Tell("status", null);
                Tell("store", null);
                Tell("session", null);
                Enter("signed-out");
            }

            private object Fetch(string name, string json)
            {
                if (!isLoggedIn) throw new PlayerDataException(PlayerDataErrorCode.Auth, "There is no session. Call LoginAsync first and wait for it.");
                var value = Json.Read(json);
                Tell(name, value);
                return value;
            }

            private void Track(List<object> args)
            {
                var type = args[0] as string;
                var payload = args[1] as Dictionary<string, object>;
                if (string.IsNullOrEmpty(type)) throw new PlayerDataException(PlayerDataErrorCode.Config, "Track: the type must be a string that is not empty.");
                if (payload == null) throw new PlayerDataException(PlayerDataErrorCode.Config, "Track: the payload must be a dictionary.");
                if (consent == "denied") return;
                tracked.Add(new TrackedEvent(type, payload));
                buffered += 1;
            }

            private object Flush()
            {
                var taken = isLoggedIn && consent == "granted" ? buffered : 0;
                buffered -= taken;
                delivered += taken;
                if (taken > 0) Tell("delivered", new Dictionary<string, object> { { "events", taken }, { "bytes", 0 } });
                return new Dictionary<string, object> { { "delivered", taken }, { "remaining", buffered } };
            }

            private void Enter(string next)
            {
                if (state == next) return;
                state = next;
                Tell("state", next);
            }

            private void Tell(string name, object value)
            {
                PlayerDataClient.Hear(number, 0, Json.Write(new Dictionary<string, object> { { "name", name }, { "event", value } }));
            }
        }
    }
}
#endif
