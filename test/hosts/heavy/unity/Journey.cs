// The journey's calls, made on the C# face: a line in with the name and the arguments, a line out with what came of it. What goes back is
// put together from the typed members, so that a member that reads another name shows.

using System;
using System.Collections.Generic;
using System.Text;
using System.Threading.Tasks;
using PlayerDataRuntime;

internal static class Journey
{
    private static PlayerDataClient player;

    private static void Main()
    {
        Frame.Begin();
        Console.InputEncoding = new UTF8Encoding(false);
        Console.OutputEncoding = new UTF8Encoding(false);
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var request = (Dictionary<string, object>)Json.Read(line);
            Console.WriteLine("@" + Json.Write(Reply((string)request["name"], (List<object>)request["args"])));
        }
    }

    private static Dictionary<string, object> Reply(string name, List<object> args)
    {
        try
        {
            return new Dictionary<string, object> { { "value", Perform(name, args) } };
        }
        catch (PlayerDataException error)
        {
            return new Dictionary<string, object> { { "error", error.Code.ToString().ToLowerInvariant() + ": " + error.Message } };
        }
    }

    private static object Perform(string name, List<object> args)
    {
        switch (name)
        {
            case "create":
                Create((Dictionary<string, object>)args[0]);
                return null;
            case "read":
                return Read((string)args[0]);
            case "login":
                return Plain(Frame.Until(player.LoginAsync()));
            case "fetchStatus":
                return Plain(Frame.Until(player.FetchStatusAsync()));
            case "fetchStore":
                return Plain(Frame.Until(player.FetchStoreAsync()));
            case "track":
                player.Track((string)args[0], args[1]);
                return null;
            case "persisted":
                return Wait(player.PersistedAsync());
            case "flush":
                var result = Frame.Until(player.FlushAsync());
                return new Dictionary<string, object> { { "delivered", result.Delivered }, { "remaining", result.Remaining } };
            case "stats":
                var stats = player.Stats();
                return new Dictionary<string, object> { { "buffered", stats.Buffered }, { "dropped", stats.Dropped } };
            case "logout":
                return Wait(player.LogoutAsync());
            case "close":
                return Wait(player.CloseAsync());
            default:
                throw new ArgumentException(name);
        }
    }

    private static void Create(Dictionary<string, object> options)
    {
        player = PlayerDataClient.Create(new PlayerDataOptions
        {
            BaseUrl = (string)options["baseUrl"],
            ApiKey = (string)options["apiKey"],
            Signer = new DevelopmentSigner((string)options["secret"]),
        });
        player.Error += error => Console.WriteLine(error.Code + ": " + error.Message);
    }

    private static object Read(string name)
    {
        if (name == "status") return Plain(player.Status);
        return name == "store" ? Plain(player.Store) : Plain(player.Session);
    }

    private static object Wait(Task task)
    {
        Frame.Until(task);
        return null;
    }

    private static object Plain(Session session)
    {
        if (session == null) return null;
        return new Dictionary<string, object>
        {
            { "userId", session.UserId }, { "deviceId", session.DeviceId }, { "gameId", session.GameId }, { "tenantId", session.TenantId },
            { "expiresAt", session.ExpiresAt.ToUnixTimeMilliseconds() }, { "offline", session.Offline },
        };
    }

    private static object Plain(PlayerStatus status)
    {
        var flag = status.IsPayer;
        var isPayer = new Dictionary<string, object> { { "value", flag.Value }, { "defaultValue", flag.DefaultValue }, { "expiredAt", flag.ExpiredAt } };
        return new Dictionary<string, object> { { "isPayer", isPayer } };
    }

    private static object Plain(StoreConfig store)
    {
        var skus = new List<object>();
        foreach (var sku in store.ActiveSkus)
        {
            skus.Add(new Dictionary<string, object>
            {
                { "skuId", sku.SkuId }, { "name", sku.Name }, { "description", sku.Description }, { "actualPrice", sku.ActualPrice },
                { "offerPrice", sku.OfferPrice }, { "currency", sku.Currency }, { "assets", sku.Assets }, { "active", sku.Active },
            });
        }
        return new Dictionary<string, object>
        {
            { "activeSkus", skus }, { "lastUpdatedTimestamp", store.LastUpdatedTimestamp },
            { "userSpecificPromoId", store.UserSpecificPromoId }, { "fallbackConfig", store.FallbackConfig },
        };
    }
}
