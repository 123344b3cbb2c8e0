// Does with a script what Unity does: makes it, calls its Start, and draws frames until it is killed.

using System;
using System.Reflection;
using System.Threading.Tasks;

internal static class Play
{
    private static void Main(string[] names)
    {
        Frame.Begin();
        var type = Type.GetType(names[0], true);
        type.GetMethod("Start", BindingFlags.Instance | BindingFlags.NonPublic).Invoke(Activator.CreateInstance(type), null);
        Frame.Until(new TaskCompletionSource<bool>().Task);
    }
}
