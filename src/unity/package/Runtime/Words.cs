// How the runtime spells what is an enum here, in the enum's order. Tables, since the names of an enum are reflection.

using System.Collections.Generic;

namespace PlayerDataRuntime
{
    internal static class Words
    {
        public static readonly List<string> ErrorCodes = new List<string>
        {
            "config", "network", "timeout", "http", "protocol", "auth", "clock", "storage", "closed",
        };

        public static readonly List<string> States = new List<string> { "signed-out", "online", "offline", "closed" };

        public static readonly List<string> DropReasons = new List<string>
        {
            "overflow", "expired", "too-large", "rejected", "unreadable", "denied",
        };

        public static readonly List<string> Durabilities = new List<string> { "disk", "weak", "memory" };

        public static readonly List<string> Consents = new List<string> { "granted", "pending", "denied" };

        public static readonly List<string> TokenPlaces = new List<string> { "persistent", "session", "memory" };

        public static readonly List<string> Leavings = new List<string> { "keep", "send" };

        public static readonly List<string> Priorities = new List<string> { "ordinary", "critical" };
    }
}
