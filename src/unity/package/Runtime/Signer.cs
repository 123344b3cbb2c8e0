using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace PlayerDataRuntime
{
    /// <summary>Who signs logins: <see cref="RemoteSigner"/>, or <see cref="DevelopmentSigner"/> while you develop.</summary>
    public abstract class Signer
    {
        internal Signer() { }

        internal abstract Dictionary<string, object> ToJson();

        /// <summary>The headers for the next signature.</summary>
        internal virtual Task<IDictionary<string, string>> GetHeaders()
        {
            return Task.FromResult<IDictionary<string, string>>(new Dictionary<string, string>());
        }
    }

    /// <summary>
    /// Has your server sign, which holds the API secret. It also tells the time that it signed, so a wrong clock on the device does no harm.
    /// The headers tell your server who the player is. A function is asked for each signature, so that it can give the token of that moment.
    /// </summary>
    public sealed class RemoteSigner : Signer
    {
        private readonly string url;
        private readonly Func<Task<IDictionary<string, string>>> headers;

        public RemoteSigner(string url, IDictionary<string, string> headers = null)
            : this(url, () => headers ?? new Dictionary<string, string>()) { }

        public RemoteSigner(string url, Func<IDictionary<string, string>> headers)
            : this(url, () => Task.FromResult(headers())) { }

        public RemoteSigner(string url, Func<Task<IDictionary<string, string>>> headers)
        {
            this.url = url;
            this.headers = headers;
        }

        internal override Dictionary<string, object> ToJson()
        {
            return new Dictionary<string, object> { { "kind", "remote" }, { "url", url } };
        }

        internal override Task<IDictionary<string, string>> GetHeaders() => headers();
    }

    /// <summary>
    /// Signs with a secret that the game itself holds: for the development key pair, on loopback and private-network pages.
    /// Never ship another secret to players: whoever has the game has the secret.
    /// </summary>
    public sealed class DevelopmentSigner : Signer
    {
        private readonly string secret;

        /// <summary>Sign on a public page, too. Only for a page that nobody else can open.</summary>
        public bool Anywhere { get; set; }

        public DevelopmentSigner(string secret)
        {
            this.secret = secret;
        }

        internal override Dictionary<string, object> ToJson()
        {
            return new Dictionary<string, object> { { "kind", "development" }, { "secret", secret }, { "anywhere", Anywhere } };
        }
    }
}
