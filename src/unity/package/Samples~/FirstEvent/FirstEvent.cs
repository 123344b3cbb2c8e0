using System.Collections.Generic;
using PlayerDataRuntime;
using UnityEngine;

/// <summary>
/// Logs in, tracks one event and waits until it is delivered. Put it on any object, start the sandbox (npx player-data sandbox), and build and
/// run for WebGL.
/// </summary>
public class FirstEvent : MonoBehaviour
{
    [SerializeField] private string baseUrl = "http://127.0.0.1:4010";
    [SerializeField] private string apiKey = "dev-key";
    [Tooltip("Of the development key pair alone. Whoever has the game has everything in it.")]
    [SerializeField] private string developmentSecret = "dev-secret";

    private PlayerDataClient player;

    private async void Start()
    {
        player = PlayerDataClient.Create(new PlayerDataOptions
        {
            BaseUrl = baseUrl,
            ApiKey = apiKey,
            Signer = new DevelopmentSigner(developmentSecret),
        });
        player.Dropped += drop => Debug.LogWarning("Gone for good: " + drop.Reason + ", " + drop.Events.Count);
        player.Error += error => Debug.LogWarning(error.Code + ": " + error.Message);
        try
        {
            var session = await player.LoginAsync();
            Debug.Log(session.UserId + (player.Status.IsPayer.Value ? " pays" : " does not pay"));
            foreach (var sku in player.Store.ActiveSkus) Debug.Log(sku.Name + ": " + sku.OfferPrice + " " + sku.Currency);

            player.Track("Level_Complete", new Dictionary<string, object> { { "level", 3 }, { "seconds", 264.5 } });
            var result = await player.FlushAsync();
            Debug.Log(result.Delivered + " delivered, " + result.Remaining + " waiting");
        }
        catch (PlayerDataException error)
        {
            Debug.LogError(error.Code + ": " + error.Message);
        }
    }

    private void OnDestroy()
    {
        if (player != null) player.Dispose();
    }
}
