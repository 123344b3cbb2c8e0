// What the package and the guide's scripts use of Unity, for a compiler that has no Unity. What is logged goes to the standard error.

using System;

namespace AOT
{
    [AttributeUsage(AttributeTargets.Method)]
    public sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type) { }
    }
}

namespace UnityEngine
{
    public static class Debug
    {
        public static void Log(object message) => Console.Error.WriteLine("[log] " + message);
        public static void LogWarning(object message) => Console.Error.WriteLine("[warning] " + message);
        public static void LogError(object message) => Console.Error.WriteLine("[error] " + message);
        public static void LogException(Exception error) => Console.Error.WriteLine("[exception] " + error.Message);
    }

    public class MonoBehaviour { }

    public static class JsonUtility
    {
        public static string ToJson(object value) => "{}";
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class SerializeField : Attribute { }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class TooltipAttribute : Attribute
    {
        public TooltipAttribute(string text) { }
    }
}
