// The same game in the Editor, where the stand-in answers.

using System;
using System.Collections.Generic;
using PlayerDataRuntime;

internal static class Rehearsal
{
    private static void Main()
    {
        Frame.Begin();
        var saw = new Dictionary<string, object>();
        var told = new List<string>();
        PlayerDataStandIn.StatusJson = "{ \"isPayer\": { \"value\": true, \"defaultValue\": false, \"expiredAt\": null }, \"more\": 1 }";
        var options = new PlayerDataOptions { BaseUrl = "https://a.example", ApiKey = "k", Signer = new RemoteSigner("https://b.example/sign") };
        var player = PlayerDataClient.Create(options);
        PlayerDataClient.Create(options).Dispose();
        player.SessionChanged += session => told.Add("session " + (session == null ? "null" : session.UserId));
        player.StateChanged += state => told.Add("state " + state);
        player.Delivered += delivery => told.Add("delivered " + delivery.Events);

        saw["early"] = Code(() => Frame.Until(player.FetchStatusAsync()));
        PlayerDataStandIn.FailNext(PlayerDataErrorCode.Network, "no network");
        saw["fails"] = Code(() => Frame.Until(player.LoginAsync()));
        Frame.Until(player.LoginAsync());
        saw["payer"] = player.Status.IsPayer.Value;
        saw["more"] = Frame.Until(player.FetchStatusAsync()).Raw["more"];
        saw["sku"] = player.Store.ActiveSkus[0].Name;
        saw["lasts"] = (int)Math.Round((player.Session.ExpiresAt - DateTimeOffset.UtcNow).TotalMinutes);
        player.Track("Level_Complete", new Dictionary<string, object> { { "level", 3 } });
        saw["noType"] = Code(() => player.Track(""));
        saw["buffered"] = player.Stats().Buffered;
        saw["delivered"] = Frame.Until(player.FlushAsync()).Delivered;
        saw["tracked"] = PlayerDataStandIn.Tracked[0].Type + " " + PlayerDataStandIn.Tracked[0].Payload["level"];
        player.SetConsent(Consent.Denied);
        player.Track("Unwanted");
        saw["count"] = PlayerDataStandIn.Tracked.Count;
        Frame.Until(player.LogoutAsync());
        saw["loggedOut"] = player.Session == null;
        Frame.Until(player.CloseAsync());
        saw["closed"] = Code(() => player.Track("x"));
        saw["calls"] = string.Join(" ", PlayerDataStandIn.Calls);
        saw["told"] = told;
        Console.WriteLine(Json.Write(saw));
    }

    private static object Code(Action call)
    {
        try
        {
            call();
            return "none";
        }
        catch (PlayerDataException error)
        {
            return error.Code;
        }
    }
}
