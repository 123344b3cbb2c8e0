// What a game holds. On WebGL every call goes into the page, where the runtime does the work; nothing is sent, stored or started before the
// first call. For the main thread, like all of Unity.

using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using UnityEngine;

namespace PlayerDataRuntime
{
    public sealed class PlayerDataClient : IDisposable
    {
        private static readonly Dictionary<int, PlayerDataClient> clients = new Dictionary<int, PlayerDataClient>();
        private static int created;

        private readonly int number;
        private readonly Signer signer;
        private readonly Dictionary<int, Action<object, PlayerDataException>> waiting = new Dictionary<int, Action<object, PlayerDataException>>();
        private int calls;
        private Task closing;

        /// <summary>The session is another one now, or null. Changes that another tab made are told, too.</summary>
        public event Action<Session> SessionChanged;

        public event Action<PlayerStatus> StatusChanged;
        public event Action<StoreConfig> StoreChanged;
        public event Action<PlayerState> StateChanged;

        /// <summary>The service has taken events.</summary>
        public event Action<Delivery> Delivered;

        /// <summary>Events are gone for good.</summary>
        public event Action<Drop> Dropped;

        /// <summary>A failure that no call of yours is there to receive. The game goes on.</summary>
        public event Action<PlayerDataException> Error;

        /// <summary>Who is logged in, or null.</summary>
        public Session Session { get; private set; }

        /// <summary>The last known status, or null. Filled by the login.</summary>
        public PlayerStatus Status { get; private set; }

        /// <summary>The last known store, or null. Filled by the login.</summary>
        public StoreConfig Store { get; private set; }

        private PlayerDataClient(int number, Signer signer)
        {
            this.number = number;
            this.signer = signer;
        }

        /// <summary>Makes the client. Throws a <c>Config</c> error that names the option that is wrong.</summary>
        public static PlayerDataClient Create(PlayerDataOptions options)
        {
            if (options == null) throw new PlayerDataException(PlayerDataErrorCode.Config, "PlayerDataClient.Create needs options.");
            var json = Json.Write(options.ToJson());
            created += 1;
            var client = new PlayerDataClient(created, options.Signer);
            clients[client.number] = client;
            try
            {
                client.AskNow(call => Host.Current.Create(client.number, call, json));
            }
            catch
            {
                clients.Remove(client.number);
                throw;
            }
            return client;
        }

        /// <summary>
        /// Logs the player in: with the kept session if it is good, else by renewing it, else by a signed login. Without network a kept session
        /// starts offline. <see cref="Status"/> and <see cref="Store"/> are filled without further calls.
        /// </summary>
        public Task<Session> LoginAsync() => Ask(value => new Session(value), "login");

        /// <summary>Forgets the session here and in every tab. Calls the service where <c>LogoutEndpoint</c> says how.</summary>
        public Task LogoutAsync() => Ask(Same, "logout");

        /// <summary>Asks the service for the status.</summary>
        public Task<PlayerStatus> FetchStatusAsync() => Ask(value => new PlayerStatus(value), "fetchStatus");

        /// <summary>Asks the service for the store.</summary>
        public Task<StoreConfig> FetchStoreAsync() => Ask(value => new StoreConfig(value), "fetchStore");

        /// <summary>
        /// Takes one event, and does not wait for anything. Time and metadata are filled in, and for <c>Ad_Impression</c> the player and the
        /// session. The payload is a dictionary or a <see cref="RawJson"/>; you may change it afterwards. Throws a <c>Config</c> error for what
        /// cannot be sent, and nothing else but <c>Closed</c>.
        /// </summary>
        public void Track(string type, object payload = null, TrackOptions options = null)
        {
            var rest = options == null ? new Dictionary<string, object>() : options.ToJson();
            AskNow("track", type, payload ?? new Dictionary<string, object>(), rest);
        }

        /// <summary>Sends now all that waits: past a backoff, but never before the service's own <c>Retry-After</c>.</summary>
        public Task<FlushResult> FlushAsync() => Ask(value => new FlushResult(value), "flush");

        /// <summary>Completes when every event tracked so far is stored, as <see cref="PlayerStats.Durability"/> says.</summary>
        public Task PersistedAsync() => Ask(Same, "persisted");

        /// <summary>Whether events may be stored and sent. <c>Denied</c> purges what is kept.</summary>
        public void SetConsent(Consent consent) => AskNow("setConsent", Words.Consents[(int)consent]);

        public PlayerStats Stats() => new PlayerStats(AskNow("stats"));

        /// <summary>
        /// Ends everything: no timer, listener, lock or connection is left behind. The kept session stays for the next start. Every call after
        /// it fails with <c>Closed</c>.
        /// </summary>
        public Task CloseAsync()
        {
            if (closing != null) return closing;
            var closed = Ask(
                value =>
                {
                    clients.Remove(number);
                    return value;
                },
                "close");
            closing = closed;
            return closed;
        }

        /// <summary>Closes without waiting for the end of it.</summary>
        public void Dispose() => CloseAsync();

        /// <summary>Everything that the host tells comes by here. Throws nothing: there is only the page to catch it.</summary>
        internal static void Hear(int player, int call, string json)
        {
            try
            {
                PlayerDataClient client;
                if (!clients.TryGetValue(player, out client)) return;
                var message = new Message(Json.Read(json));
                if (call == 0) client.Tell(message.Text("name"), message.Value("event"));
                else client.Answer(call, message.Value("value"), message.Error);
            }
            catch (Exception error)
            {
                Debug.LogException(error);
            }
        }

        private static object Same(object value) => value;

        private Task<T> Ask<T>(Func<object, T> read, string name, params object[] args)
        {
            // Continuations run at once or in the context that awaits: there is no thread on WebGL that could run them elsewhere.
            var task = new TaskCompletionSource<T>();
            if (closing != null)
            {
                task.SetException(ClosedError());
                return task.Task;
            }
            calls += 1;
            waiting[calls] = (value, error) =>
            {
                if (error == null) task.SetResult(read(value));
                else task.SetException(error);
            };
            Host.Current.Call(number, calls, name, Json.Write(args));
            return task.Task;
        }

        /// <summary>For what is answered before the call returns.</summary>
        private object AskNow(string name, params object[] args)
        {
            if (closing != null) throw ClosedError();
            var json = Json.Write(args);
            return AskNow(call => Host.Current.Call(number, call, name, json));
        }

        private object AskNow(Action<int> send)
        {
            object answer = null;
            var failure = new PlayerDataException(PlayerDataErrorCode.Unexpected, "The page has not answered. Please report it.");
            calls += 1;
            var call = calls;
            waiting[call] = (value, error) =>
            {
                answer = value;
                failure = error;
            };
            send(call);
            waiting.Remove(call);
            if (failure != null) throw failure;
            return answer;
        }

        private void Answer(int call, object value, PlayerDataException error)
        {
            Action<object, PlayerDataException> take;
            if (!waiting.TryGetValue(call, out take)) return;
            waiting.Remove(call);
            take(value, error);
        }

        private void Tell(string name, object value)
        {
            switch (name)
            {
                case "session":
                    Session = value == null ? null : new Session(value);
                    Raise(SessionChanged, Session);
                    break;
                case "status":
                    Status = value == null ? null : new PlayerStatus(value);
                    Raise(StatusChanged, Status);
                    break;
                case "store":
                    Store = value == null ? null : new StoreConfig(value);
                    Raise(StoreChanged, Store);
                    break;
                case "state":
                    Raise(StateChanged, (PlayerState)Words.States.IndexOf((string)value));
                    break;
                case "delivered":
                    Raise(Delivered, new Delivery(value));
                    break;
                case "dropped":
                    Raise(Dropped, new Drop(value));
                    break;
                case "error":
                    Raise(Error, PlayerDataException.From(new Message(value)));
                    break;
                case "headers":
                    TellHeaders(value);
                    break;
            }
        }

        /// <summary>A handler that throws is the game's own affair: the others are called, and the console shows what it threw.</summary>
        private static void Raise<T>(Action<T> handlers, T value)
        {
            if (handlers == null) return;
            foreach (var handler in handlers.GetInvocationList())
            {
                try
                {
                    ((Action<T>)handler)(value);
                }
                catch (Exception error)
                {
                    Debug.LogException(error);
                }
            }
        }

        private async void TellHeaders(object question)
        {
            IDictionary<string, string> headers = null;
            string failure = null;
            try
            {
                headers = await signer.GetHeaders();
            }
            catch (Exception error)
            {
                failure = "The headers for RemoteSigner could not be had: " + error.Message;
            }
            if (closing == null) AskNow("headers", question, headers ?? new Dictionary<string, string>(), failure);
        }

        private static PlayerDataException ClosedError()
        {
            return new PlayerDataException(PlayerDataErrorCode.Closed, "This client was closed. Make another one with PlayerDataClient.Create.");
        }

        private sealed class Message : JsonRecord
        {
            internal Message(object value) : base(value) { }

            public PlayerDataException Error => Value("error") == null ? null : PlayerDataException.From(new Message(Value("error")));
        }
    }
}
