// A game that uses everything, and says what it saw: one line of JSON. The test holds it against what the service has received.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using PlayerDataRuntime;

internal static class Walk
{
    private enum Mood
    {
        Calm,
        Merry,
    }

    private static readonly Dictionary<string, object> saw = new Dictionary<string, object>();
    private static readonly List<string> told = new List<string>();
    private static readonly List<object> delivered = new List<object>();
    private static string token = "stale";
    private static int asked;

    private static void Main()
    {
        Frame.Begin();
        Console.OutputEncoding = new UTF8Encoding(false);
        // Numbers with a comma in them are what a careless writer makes of this.
        Thread.CurrentThread.CurrentCulture = new CultureInfo("de-DE");
        SeeWrongOptions();
        var player = PlayerDataClient.Create(new PlayerDataOptions
        {
            BaseUrl = Environment.GetEnvironmentVariable("SERVICE"),
            ApiKey = "dev-key",
            DeviceId = Environment.GetEnvironmentVariable("DEVICE"),
            SessionId = "unity-session",
            TimeoutMs = 10000,
            Metadata = new Dictionary<string, object> { { "build", 7 } },
            Events = new EventOptions { IntervalMs = 600000, BatchEvents = 100, MaxAgeMs = 86400000, OnLeave = OnLeave.Send },
            Signer = new RemoteSigner(Environment.GetEnvironmentVariable("SIGNING"), GetHeaders),
        });
        Listen(player);
        SeeLogin(player);
        SeeEvents(player);
        SeeMistakes(player);
        SeeRefusals();
        SeeTwo(player);
        SeeEnd(player);
        saw["told"] = told;
        saw["delivered"] = delivered;
        Console.WriteLine(Json.Write(saw));
    }

    private static async Task<IDictionary<string, string>> GetHeaders()
    {
        asked += 1;
        await Task.Yield();
        if (token == null) throw new InvalidOperationException("not signed in to the studio");
        return new Dictionary<string, string> { { "authorization", "Bearer " + token } };
    }

    private static void SeeWrongOptions()
    {
        var signer = new DevelopmentSigner("s");
        saw["noOptions"] = Failure(() => PlayerDataClient.Create(null));
        saw["noSigner"] = Failure(() => PlayerDataClient.Create(new PlayerDataOptions { BaseUrl = "https://a.example", ApiKey = "k" }));
        // Found by the runtime itself, in the page.
        saw["noDevice"] = Failure(() => PlayerDataClient.Create(new PlayerDataOptions { BaseUrl = "https://a.example", ApiKey = "k", Signer = signer, DeviceId = "" }));
        saw["noSecret"] = Failure(() => PlayerDataClient.Create(new PlayerDataOptions { BaseUrl = "https://a.example", ApiKey = "k", Signer = new DevelopmentSigner("") }));
    }

    private static void Listen(PlayerDataClient player)
    {
        player.SessionChanged += session => { throw new InvalidOperationException("a handler's own mistake"); };
        player.SessionChanged += session => told.Add("session " + (session == null ? "null" : session.UserId));
        player.StatusChanged += status => told.Add("status " + (status == null ? "null" : status.IsPayer.DefaultValue.ToString()));
        player.StoreChanged += store => told.Add("store " + (store == null ? "null" : store.ActiveSkus.Count.ToString()));
        player.StateChanged += state => told.Add("state " + state);
        player.Delivered += delivery => delivered.Add(new List<object> { delivery.Events, delivery.Bytes });
        player.Dropped += drop => told.Add("dropped " + drop.Reason + " " + drop.Events.Count);
        player.Error += error => told.Add("error " + error.Code + " " + error.Status);
    }

    private static void SeeLogin(PlayerDataClient player)
    {
        saw["statusWithoutSession"] = Failure(player.FetchStatusAsync);
        saw["strangerLogin"] = Failure(player.LoginAsync);
        token = null;
        saw["headersThatThrow"] = Failure(player.LoginAsync);
        token = "own-login-token";
        var session = Frame.Until(player.LoginAsync());
        saw["headersAsked"] = asked;
        saw["session"] = new List<object>
        {
            session.UserId, session.DeviceId, session.Offline, (int)Math.Round((session.ExpiresAt - DateTimeOffset.UtcNow).TotalMinutes),
            player.Session.UserId == session.UserId,
        };
        saw["status"] = Frame.Until(player.FetchStatusAsync()).Raw;
        saw["isPayer"] = player.Status.IsPayer.Value;
        saw["store"] = Frame.Until(player.FetchStoreAsync()).Raw;
        var sku = player.Store.ActiveSkus[0];
        saw["sku"] = new List<object> { sku.SkuId, sku.Name, sku.ActualPrice, sku.OfferPrice, sku.Currency, sku.Active };
    }

    private static void SeeEvents(PlayerDataClient player)
    {
        var payload = new Dictionary<string, object>
        {
            { "text", "né 漢字 🎮 \0 \"\\ \u2028 \n end" },
            { "numbers", new object[] { 1, -2L, 3.5, 0.1f, 1e21, decimal.Parse("7.25", CultureInfo.InvariantCulture), (byte)255, double.NaN, long.MaxValue / 1024 } },
            { "flags", new List<bool> { true, false } },
            { "counts", new Dictionary<string, int> { { "gold", 3 } } },
            { "nothing", null },
            { "mood", Mood.Merry },
            { "at", new DateTime(2026, 3, 1, 12, 0, 7, 250, DateTimeKind.Utc) },
            { "made", new RawJson("{\"by\": [\"JsonUtility\", 1.5]}") },
        };
        player.Track("Everything", payload);
        payload["text"] = "changed after the call";
        player.Track("Bare");
        player.Track("Ad_Impression", new Dictionary<string, string> { { "adId", "a1" } });
        player.Track("Made", new RawJson("{\"level\":3}"), new TrackOptions
        {
            Priority = EventPriority.Critical,
            Metadata = new Dictionary<string, object> { { "own", true } },
            Timestamp = new DateTimeOffset(2026, 3, 1, 14, 0, 0, TimeSpan.FromHours(2)),
        });
        Frame.Until(player.PersistedAsync());
        var waiting = player.Stats();
        saw["waiting"] = new List<object> { waiting.Buffered, waiting.BufferedBytes > 0, waiting.State, waiting.Durability };
        var result = Frame.Until(player.FlushAsync());
        var stats = player.Stats();
        saw["flush"] = new List<object> { result.Delivered, result.Remaining, stats.Delivered, stats.Resent, stats.ClockOffset.TotalMinutes < 1 };

        // More than the memory that the game has started with.
        for (var i = 0; i < 300; i += 1) player.Track("Large", new Dictionary<string, object> { { "text", new string('漢', 10000) } });
        saw["large"] = new List<object> { Frame.Until(player.FlushAsync()).Remaining, player.Stats().Delivered };
    }

    private static void SeeMistakes(PlayerDataClient player)
    {
        var circular = new Dictionary<string, object>();
        circular["self"] = circular;
        saw["noType"] = Failure(() => player.Track(""));
        saw["noDictionary"] = Failure(() => player.Track("x", 3));
        saw["noJson"] = Failure(() => player.Track("x", new Dictionary<string, object> { { "object", new Version(1, 0) } }));
        saw["circular"] = Failure(() => player.Track("x", circular));
        saw["rawThatIsNoJson"] = Failure(() => player.Track("x", new RawJson("{\"a\":}")));
        saw["tooLarge"] = Failure(() => player.Track("x", new Dictionary<string, object> { { "text", new string('x', 40000) } }));
        saw["afterMistakes"] = player.Stats().Buffered;
        player.Track("Poison", new Dictionary<string, object> { { "text", "poison" } });
        player.Track("Good");
        Frame.Until(player.FlushAsync());
        saw["rejected"] = player.Stats().Dropped[DropReason.Rejected];
        player.SetConsent(Consent.Denied);
        player.Track("Unwanted");
        saw["denied"] = player.Stats().Buffered;
        player.SetConsent(Consent.Granted);
    }

    private static void SeeRefusals()
    {
        saw["busy"] = Failure(Make("BUSY", "dev-secret").LoginAsync);
        saw["wrongSecret"] = Failure(Make("SERVICE", "wrong").LoginAsync);
        saw["nobodyThere"] = Failure(Make("NOWHERE", "dev-secret").LoginAsync);
    }

    private static PlayerDataClient Make(string service, string secret)
    {
        return PlayerDataClient.Create(new PlayerDataOptions
        {
            BaseUrl = Environment.GetEnvironmentVariable(service),
            ApiKey = "dev-key",
            Signer = new DevelopmentSigner(secret),
            Tokens = TokenPlace.Memory,
        });
    }

    private static void SeeTwo(PlayerDataClient player)
    {
        using (var other = Make("SERVICE", "dev-secret"))
        {
            Frame.Until(Task.WhenAll(other.LoginAsync(), player.FetchStoreAsync()));
            saw["two"] = other.Session.DeviceId != player.Session.DeviceId;
        }
    }

    private static void SeeEnd(PlayerDataClient player)
    {
        Frame.Until(player.LogoutAsync());
        saw["loggedOut"] = player.Session == null && player.Status == null && player.Store == null;
        Frame.Until(player.CloseAsync());
        Frame.Until(player.CloseAsync());
        player.Dispose();
        saw["trackAfterClose"] = Failure(() => player.Track("x"));
        saw["loginAfterClose"] = Failure(player.LoginAsync);
        saw["statsAfterClose"] = Failure(() => player.Stats());
    }

    private static object Failure<T>(Func<Task<T>> call) => Failure(() => { Frame.Until(call()); });

    private static object Failure(Action call)
    {
        try
        {
            call();
            return "none";
        }
        catch (PlayerDataException error)
        {
            return new List<object> { error.Code, error.Status, error.ServiceCode, error.Message };
        }
    }
}
