// The frames of a game that has no engine. As in Unity, what is awaited on the main thread goes on there, in a later frame; and each frame
// lets in what the page has to say.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

internal sealed class Frame : SynchronizationContext
{
    private static readonly Queue<Action> posted = new Queue<Action>();

    public static void Begin() => SetSynchronizationContext(new Frame());

    public static T Until<T>(Task<T> task)
    {
        Until((Task)task);
        return task.Result;
    }

    public static void Until(Task task)
    {
        while (!task.IsCompleted)
        {
#if !UNITY_EDITOR
            page_pump(5);
#endif
            for (var left = posted.Count; left > 0; left -= 1) posted.Dequeue()();
        }
        task.GetAwaiter().GetResult();
    }

    public override void Post(SendOrPostCallback run, object state) => posted.Enqueue(() => run(state));

#if !UNITY_EDITOR
    [DllImport("__Internal")]
    private static extern void page_pump(int waitMs);
#endif
}
