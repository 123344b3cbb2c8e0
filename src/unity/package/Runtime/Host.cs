// Where the runtime is: in the page of a WebGL build, and nowhere else.

namespace PlayerDataRuntime
{
    /// <summary>
    /// Answers by <see cref="PlayerDataClient.Hear"/>, with the number of the call and <c>{ value }</c> or <c>{ error }</c>; or with 0 and
    /// <c>{ name, event }</c>. A call that needs no waiting is answered before it returns.
    /// </summary>
    internal interface IHost
    {
        void Create(int player, int call, string options);
        void Call(int player, int call, string name, string args);
    }

    internal static class Host
    {
#if UNITY_WEBGL && !UNITY_EDITOR
        public static readonly IHost Current = new PageHost();
#else
        public static readonly IHost Current = new PlayerDataStandIn.StandInHost();
#endif
    }
}
