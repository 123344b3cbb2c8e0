// What the service and the runtime tell. The names are the contract's (openapi.yaml). What the contract leaves open is an object: a value as
// Json.Read gives it.

using System;
using System.Collections.Generic;
using System.Globalization;

namespace PlayerDataRuntime
{
    /// <summary>A JSON object with names for its known members.</summary>
    public abstract class JsonRecord
    {
        /// <summary>All members, those included that no property names.</summary>
        public IReadOnlyDictionary<string, object> Raw { get; }

        internal JsonRecord(object value)
        {
            Raw = value as Dictionary<string, object> ?? new Dictionary<string, object>();
        }

        /// <summary>Null where absent.</summary>
        internal object Value(string name)
        {
            object value;
            return Raw.TryGetValue(name, out value) ? value : null;
        }

        internal string Text(string name) => Value(name) as string;

        internal bool Flag(string name) => Value(name) is bool && (bool)Value(name);

        internal double Number(string name)
        {
            var value = Value(name);
            return value is long || value is double ? Convert.ToDouble(value, CultureInfo.InvariantCulture) : 0;
        }

        internal long Whole(string name) => Value(name) is long ? (long)Value(name) : (long)Number(name);

        internal IReadOnlyList<object> Items(string name) => Value(name) as List<object> ?? new List<object>();
    }

    /// <summary>Who is logged in.</summary>
    public sealed class Session : JsonRecord
    {
        internal Session(object value) : base(value) { }

        public string UserId => Text("userId");
        public string DeviceId => Text("deviceId");
        public string GameId => Text("gameId");
        public string TenantId => Text("tenantId");

        /// <summary>When the access token expires, in the device's own clock. It is renewed before that.</summary>
        public DateTimeOffset ExpiresAt => DateTimeOffset.FromUnixTimeMilliseconds(Whole("expiresAt"));

        /// <summary>The service could not be reached: status and store are the last known. It renews when the network is back.</summary>
        public bool Offline => Flag("offline");
    }

    /// <summary>What the service knows of the player.</summary>
    public sealed class PlayerStatus : JsonRecord
    {
        internal PlayerStatus(object value) : base(value)
        {
            IsPayer = new StatusFlag(Value("isPayer"));
        }

        /// <summary>Whether the player is a payer.</summary>
        public StatusFlag IsPayer { get; }
    }

    public sealed class StatusFlag : JsonRecord
    {
        internal StatusFlag(object value) : base(value) { }

        public new bool Value => Flag("value");
        public bool DefaultValue => Flag("defaultValue");

        /// <summary>Null when it does not expire. Its type when it is not null is not specified.</summary>
        public object ExpiredAt => base.Value("expiredAt");
    }

    /// <summary>The player's personal store.</summary>
    public sealed class StoreConfig : JsonRecord
    {
        internal StoreConfig(object value) : base(value)
        {
            var skus = new List<Sku>();
            foreach (var sku in Items("activeSkus")) skus.Add(new Sku(sku));
            ActiveSkus = skus;
        }

        public IReadOnlyList<Sku> ActiveSkus { get; }

        /// <summary>Its unit is not specified.</summary>
        public long LastUpdatedTimestamp => Whole("lastUpdatedTimestamp");

        /// <summary>Null when there is none. Its type when it is not null is not specified.</summary>
        public object UserSpecificPromoId => Value("userSpecificPromoId");

        /// <summary>Null when there is none. Its shape when it is not null is not specified.</summary>
        public object FallbackConfig => Value("fallbackConfig");
    }

    /// <summary>One purchasable item.</summary>
    public sealed class Sku : JsonRecord
    {
        internal Sku(object value) : base(value) { }

        public string SkuId => Text("skuId");
        public string Name => Text("name");
        public string Description => Text("description");

        /// <summary>List price.</summary>
        public double ActualPrice => Number("actualPrice");

        public double OfferPrice => Number("offerPrice");
        public string Currency => Text("currency");

        /// <summary>May be empty. The shape of an element is not specified.</summary>
        public IReadOnlyList<object> Assets => Items("assets");

        public bool Active => Flag("active");
    }

    public sealed class FlushResult : JsonRecord
    {
        internal FlushResult(object value) : base(value) { }

        public int Delivered => (int)Whole("delivered");

        /// <summary>Still waiting, for example because there is no network.</summary>
        public int Remaining => (int)Whole("remaining");
    }

    /// <summary>The service has taken so many events.</summary>
    public sealed class Delivery : JsonRecord
    {
        internal Delivery(object value) : base(value) { }

        public int Events => (int)Whole("events");
        public long Bytes => Whole("bytes");
    }

    public enum DropReason
    {
        /// <summary>The buffer was full.</summary>
        Overflow,
        /// <summary>It had waited for too long.</summary>
        Expired,
        /// <summary>The service finds it too large.</summary>
        TooLarge,
        /// <summary>The service refuses it.</summary>
        Rejected,
        /// <summary>A stored record that something has damaged.</summary>
        Unreadable,
        /// <summary>The player has denied consent.</summary>
        Denied,
    }

    /// <summary>Events are gone for good, and why.</summary>
    public sealed class Drop : JsonRecord
    {
        internal Drop(object value) : base(value) { }

        public DropReason Reason => (DropReason)Words.DropReasons.IndexOf(Text("reason"));

        /// <summary>As they would have gone out.</summary>
        public IReadOnlyList<object> Events => Items("events");
    }

    public enum PlayerState
    {
        /// <summary>No session.</summary>
        SignedOut,
        Online,
        /// <summary>A session, and the service out of reach.</summary>
        Offline,
        Closed,
    }

    public enum Durability
    {
        /// <summary>Survives a killed browser.</summary>
        Disk,
        /// <summary>Survives a killed browser most likely.</summary>
        Weak,
        /// <summary>Survives nothing.</summary>
        Memory,
    }

    public sealed class PlayerStats : JsonRecord
    {
        internal PlayerStats(object value) : base(value)
        {
            var dropped = new Dictionary<DropReason, long>();
            var counts = new Counts(Value("dropped"));
            foreach (var reason in counts.Raw.Keys) dropped[(DropReason)Words.DropReasons.IndexOf(reason)] = counts.Whole(reason);
            Dropped = dropped;
        }

        /// <summary>Waiting to be delivered.</summary>
        public long Buffered => Whole("buffered");

        public long BufferedBytes => Whole("bufferedBytes");
        public long Delivered => Whole("delivered");
        public IReadOnlyDictionary<DropReason, long> Dropped { get; }

        /// <summary>Events that were sent again because no reply had come: the service may have them twice.</summary>
        public long Resent => Whole("resent");

        /// <summary>What being stored is worth on this host.</summary>
        public Durability Durability => (Durability)Words.Durabilities.IndexOf(Text("durability"));

        public PlayerState State => (PlayerState)Words.States.IndexOf(Text("state"));

        /// <summary>How far the device's clock is behind the service's (positive) or ahead of it; zero while unknown.</summary>
        public TimeSpan ClockOffset => TimeSpan.FromMilliseconds(Number("clockOffsetMs"));

        private sealed class Counts : JsonRecord
        {
            internal Counts(object value) : base(value) { }
        }
    }
}
