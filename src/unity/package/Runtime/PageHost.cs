#if UNITY_WEBGL && !UNITY_EDITOR
// The way into PlayerData.jslib, and back.

using System;
using System.Runtime.InteropServices;
using System.Text;
using AOT;

namespace PlayerDataRuntime
{
    internal sealed class PageHost : IHost
    {
        private delegate void Answer(int player, int call, IntPtr json, int length);

        /// <summary>Held, since the page keeps a pointer to it that no collector sees.</summary>
        private static readonly Answer hear = Hear;

        public void Create(int player, int call, string options)
        {
            PlayerDataRuntime_Create(player, call, Utf8(options), hear);
        }

        public void Call(int player, int call, string name, string args)
        {
            PlayerDataRuntime_Call(player, call, Utf8(name), Utf8(args));
        }

        /// <summary>Bytes rather than strings, so that no marshaller's idea of a character set comes in between.</summary>
        private static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text + '\0');

        [MonoPInvokeCallback(typeof(Answer))]
        private static void Hear(int player, int call, IntPtr json, int length)
        {
            var bytes = new byte[length];
            Marshal.Copy(json, bytes, 0, length);
            PlayerDataClient.Hear(player, call, Encoding.UTF8.GetString(bytes));
        }

        [DllImport("__Internal")]
        private static extern void PlayerDataRuntime_Create(int player, int call, byte[] options, Answer answer);

        [DllImport("__Internal")]
        private static extern void PlayerDataRuntime_Call(int player, int call, byte[] name, byte[] args);
    }
}
#endif
