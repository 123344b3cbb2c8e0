using System;
using System.Collections.Generic;

namespace PlayerDataRuntime
{
    public enum TokenPlace
    {
        /// <summary>The session outlives restarts.</summary>
        Persistent,
        /// <summary>As long as the tab.</summary>
        Session,
        /// <summary>As long as the client.</summary>
        Memory,
    }

    public enum Consent
    {
        /// <summary>Events are stored and sent.</summary>
        Granted,
        /// <summary>Held in memory.</summary>
        Pending,
        /// <summary>What is kept is purged, and nothing is taken.</summary>
        Denied,
    }

    public enum OnLeave
    {
        /// <summary>What is left stays for the next start.</summary>
        Keep,
        /// <summary>The last of it is sent, and may then arrive twice.</summary>
        Send,
    }

    public enum EventPriority
    {
        Ordinary,
        /// <summary>The last to go when the buffer is full.</summary>
        Critical,
    }

    /// <summary>What a game can set. What is left null has the runtime's default.</summary>
    public sealed class PlayerDataOptions
    {
        /// <summary>Base address of the service, <c>https://api.example.com</c>. Required.</summary>
        public string BaseUrl { get; set; }

        /// <summary>The API key issued to the studio. Required.</summary>
        public string ApiKey { get; set; }

        /// <summary>Who signs logins. Required.</summary>
        public Signer Signer { get; set; }

        /// <summary>Identifies this device to the service. By default made once and kept.</summary>
        public string DeviceId { get; set; }

        /// <summary>Where the session is kept. A script on the page can read the first two places.</summary>
        public TokenPlace Tokens { get; set; }

        /// <summary>How long to wait for a reply. Default 30 000.</summary>
        public int? TimeoutMs { get; set; }

        /// <summary>The service's logout call, which its interface does not specify. Without it a logout is local.</summary>
        public LogoutEndpoint LogoutEndpoint { get; set; }

        /// <summary>One for each start by default; goes into <c>Ad_Impression</c> payloads that have none.</summary>
        public string SessionId { get; set; }

        /// <summary>Goes with every event. By default the browser's device type, operating system and its version.</summary>
        public IDictionary<string, object> Metadata { get; set; }

        /// <summary>Whether events may be stored and sent.</summary>
        public Consent Consent { get; set; }

        public EventOptions Events { get; set; }

        internal Dictionary<string, object> ToJson()
        {
            Check("BaseUrl", BaseUrl != null && BaseUrl.StartsWith("http", StringComparison.Ordinal), "an address such as https://api.example.com");
            Check("ApiKey", !string.IsNullOrEmpty(ApiKey), "the API key issued to your studio");
            Check("Signer", Signer != null, "a RemoteSigner or a DevelopmentSigner");
            var json = new Dictionary<string, object>
            {
                { "baseUrl", BaseUrl },
                { "apiKey", ApiKey },
                { "signer", Signer.ToJson() },
                { "tokens", Words.TokenPlaces[(int)Tokens] },
                { "consent", Words.Consents[(int)Consent] },
            };
            Add(json, "deviceId", DeviceId);
            Add(json, "timeoutMs", TimeoutMs);
            Add(json, "logoutEndpoint", LogoutEndpoint == null ? null : LogoutEndpoint.ToJson());
            Add(json, "sessionId", SessionId);
            Add(json, "metadata", Metadata);
            Add(json, "events", Events == null ? null : Events.ToJson());
            return json;
        }

        /// <summary>A member that is absent has its default; one that is null would be an error.</summary>
        internal static void Add(Dictionary<string, object> json, string name, object value)
        {
            if (value != null) json[name] = value;
        }

        private static void Check(string option, bool isRight, string expected)
        {
            if (!isRight) throw new PlayerDataException(PlayerDataErrorCode.Config, "PlayerDataOptions: " + option + " must be " + expected + ".");
        }
    }

    public sealed class LogoutEndpoint
    {
        public string Method { get; }
        public string Path { get; }

        public LogoutEndpoint(string method, string path)
        {
            Method = method;
            Path = path;
        }

        internal Dictionary<string, object> ToJson()
        {
            return new Dictionary<string, object> { { "method", Method }, { "path", Path } };
        }
    }

    public sealed class EventOptions
    {
        /// <summary>How long an event waits at most before it is sent. Default 2000.</summary>
        public int? IntervalMs { get; set; }

        /// <summary>At most so many events in one request. Default 500.</summary>
        public int? BatchEvents { get; set; }

        /// <summary>At most so many bytes in one request. Default 262 144.</summary>
        public int? BatchBytes { get; set; }

        /// <summary>At most so many events are kept; then the oldest ordinary ones go. Default 20 000.</summary>
        public int? BufferEvents { get; set; }

        /// <summary>At most so many bytes are kept. Default 5 000 000.</summary>
        public int? BufferBytes { get; set; }

        /// <summary>Older events are dropped. Default 7 days.</summary>
        public long? MaxAgeMs { get; set; }

        /// <summary>What becomes of the rest when the page goes.</summary>
        public OnLeave OnLeave { get; set; }

        internal Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object> { { "onLeave", Words.Leavings[(int)OnLeave] } };
            PlayerDataOptions.Add(json, "intervalMs", IntervalMs);
            PlayerDataOptions.Add(json, "batchEvents", BatchEvents);
            PlayerDataOptions.Add(json, "batchBytes", BatchBytes);
            PlayerDataOptions.Add(json, "bufferEvents", BufferEvents);
            PlayerDataOptions.Add(json, "bufferBytes", BufferBytes);
            PlayerDataOptions.Add(json, "maxAgeMs", MaxAgeMs);
            return json;
        }
    }

    public sealed class TrackOptions
    {
        public EventPriority Priority { get; set; }

        /// <summary>In place of the client's.</summary>
        public IDictionary<string, object> Metadata { get; set; }

        /// <summary>When it happened, in place of now.</summary>
        public DateTimeOffset? Timestamp { get; set; }

        internal Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object> { { "priority", Words.Priorities[(int)Priority] } };
            PlayerDataOptions.Add(json, "metadata", Metadata);
            PlayerDataOptions.Add(json, "timestamp", Timestamp == null ? null : (object)Timestamp.Value.ToUnixTimeMilliseconds());
            return json;
        }
    }
}
