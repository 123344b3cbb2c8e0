using System;

namespace PlayerDataRuntime
{
    public enum PlayerDataErrorCode
    {
        /// <summary>The caller's mistake, found before any request.</summary>
        Config,
        /// <summary>No reply arrived.</summary>
        Network,
        /// <summary>No reply arrived in time.</summary>
        Timeout,
        /// <summary>The service answered with an error status.</summary>
        Http,
        /// <summary>The reply is not what the contract allows, for example a captive portal's page.</summary>
        Protocol,
        /// <summary>The service refuses the credentials, or there is no session.</summary>
        Auth,
        /// <summary>The device's clock is too far off to log in, and could not be corrected.</summary>
        Clock,
        /// <summary>What should be kept could not be; the game goes on in memory.</summary>
        Storage,
        /// <summary>A call after the close.</summary>
        Closed,
        /// <summary>A fault in the package itself. Please report it.</summary>
        Unexpected,
    }

    /// <summary>The one exception of the package. Its message says what to do, and never holds a token, a secret or a signature.</summary>
    public sealed class PlayerDataException : Exception
    {
        public PlayerDataErrorCode Code { get; }

        /// <summary>The HTTP status, where a reply arrived.</summary>
        public int? Status { get; }

        /// <summary>The service's own <c>error.code</c>, where it gave one. Its type and values are not specified.</summary>
        public object ServiceCode { get; }

        public PlayerDataException(PlayerDataErrorCode code, string message, int? status = null, object serviceCode = null)
            : base(message)
        {
            Code = code;
            Status = status;
            ServiceCode = serviceCode;
        }

        internal static PlayerDataException From(JsonRecord error)
        {
            var code = Words.ErrorCodes.IndexOf(error.Text("code"));
            var status = error.Value("status");
            return new PlayerDataException(
                code < 0 ? PlayerDataErrorCode.Unexpected : (PlayerDataErrorCode)code,
                error.Text("message"),
                status == null ? (int?)null : (int)error.Number("status"),
                error.Value("serviceCode"));
        }
    }
}
