// JSON as plain values, since JsonUtility knows neither dictionaries nor members that no class declares. No reflection, so that nothing
// here depends on what IL2CPP strips. The same invariant text in every culture.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace PlayerDataRuntime
{
    /// <summary>JSON that is ready-made, for example by JsonUtility. Goes out as it is.</summary>
    public sealed class RawJson
    {
        public string Text { get; }

        /// <summary>Throws a <c>Config</c> error for what is no JSON.</summary>
        public RawJson(string text)
        {
            Json.Read(text);
            Text = text;
        }
    }

    /// <summary>
    /// Reads and writes JSON. An object is a <c>Dictionary&lt;string, object&gt;</c>, an array a <c>List&lt;object&gt;</c>, a whole number a
    /// <c>long</c>, another one a <c>double</c>; the rest are <c>string</c>, <c>bool</c> and <c>null</c>.
    /// </summary>
    public static class Json
    {
        /// <summary>Deeper values are taken for ones that contain themselves.</summary>
        private const int Depth = 64;

        /// <summary>
        /// Takes dictionaries, sequences, strings, numbers, booleans, enums (by name), Guid, DateTime and DateTimeOffset (ISO 8601, UTC),
        /// RawJson and null. NaN and infinities become null, as in JavaScript. Anything else is a <c>Config</c> error.
        /// </summary>
        public static string Write(object value)
        {
            var text = new StringBuilder();
            WriteValue(text, value, 0);
            return text.ToString();
        }

        /// <summary>Throws a <c>Config</c> error for what is no JSON.</summary>
        public static object Read(string text)
        {
            if (text == null) throw new PlayerDataException(PlayerDataErrorCode.Config, "There is no JSON: the text is null.");
            var reader = new Reader(text);
            var value = reader.ReadValue(0);
            reader.ReadEnd();
            return value;
        }

        private static void WriteValue(StringBuilder text, object value, int depth)
        {
            if (depth > Depth)
                throw new PlayerDataException(PlayerDataErrorCode.Config, "A value is nested too deeply to be JSON. Does it contain itself?");
            if (value == null) text.Append("null");
            else if (value is bool) text.Append((bool)value ? "true" : "false");
            else if (value is RawJson) text.Append(((RawJson)value).Text);
            else if (value is string || value is char || value is Enum || value is Guid) WriteString(text, value.ToString());
            else if (value is DateTime) WriteTime(text, ((DateTime)value).ToUniversalTime());
            else if (value is DateTimeOffset) WriteTime(text, ((DateTimeOffset)value).UtcDateTime);
            else if (value is IDictionary<string, object>) WriteMembers(text, (IDictionary<string, object>)value, depth);
            else if (value is IDictionary) WriteEntries(text, (IDictionary)value, depth);
            else if (value is IEnumerable) WriteItems(text, (IEnumerable)value, depth);
            else WriteNumber(text, value);
        }

        private static void WriteNumber(StringBuilder text, object value)
        {
            if (value is double || value is float)
            {
                var number = Convert.ToDouble(value, CultureInfo.InvariantCulture);
                var isFinite = !double.IsNaN(number) && !double.IsInfinity(number);
                // "R" reads back as the same number, which the default of older runtimes does not.
                text.Append(isFinite ? ((IFormattable)value).ToString("R", CultureInfo.InvariantCulture) : "null");
                return;
            }
            var isNumber = value is int || value is long || value is decimal || value is uint || value is ulong || value is short
                || value is ushort || value is byte || value is sbyte;
            if (!isNumber)
            {
                var message = value.GetType().Name + " cannot be JSON. Use a Dictionary<string, object>, or new RawJson(JsonUtility.ToJson(value)).";
                throw new PlayerDataException(PlayerDataErrorCode.Config, message);
            }
            text.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
        }

        private static void WriteTime(StringBuilder text, DateTime utc)
        {
            WriteString(text, utc.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture));
        }

        private static void WriteMembers(StringBuilder text, IDictionary<string, object> members, int depth)
        {
            text.Append('{');
            var isFirst = true;
            foreach (var member in members)
            {
                WriteMember(text, member.Key, member.Value, isFirst, depth);
                isFirst = false;
            }
            text.Append('}');
        }

        private static void WriteEntries(StringBuilder text, IDictionary entries, int depth)
        {
            text.Append('{');
            var isFirst = true;
            foreach (DictionaryEntry entry in entries)
            {
                WriteMember(text, Convert.ToString(entry.Key, CultureInfo.InvariantCulture), entry.Value, isFirst, depth);
                isFirst = false;
            }
            text.Append('}');
        }

        private static void WriteMember(StringBuilder text, string name, object value, bool isFirst, int depth)
        {
            if (!isFirst) text.Append(',');
            WriteString(text, name);
            text.Append(':');
            WriteValue(text, value, depth + 1);
        }

        private static void WriteItems(StringBuilder text, IEnumerable items, int depth)
        {
            text.Append('[');
            var isFirst = true;
            foreach (var item in items)
            {
                if (!isFirst) text.Append(',');
                isFirst = false;
                WriteValue(text, item, depth + 1);
            }
            text.Append(']');
        }

        private static void WriteString(StringBuilder text, string value)
        {
            text.Append('"');
            foreach (var c in value)
            {
                if (c == '"' || c == '\\') text.Append('\\').Append(c);
                // C takes a NUL for the end.
                else if (c < ' ') text.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                else text.Append(c);
            }
            text.Append('"');
        }

        private sealed class Reader
        {
            private readonly string text;
            private int at;

            public Reader(string text)
            {
                this.text = text;
            }

            public object ReadValue(int depth)
            {
                if (depth > Depth) throw Wrong();
                switch (Peek())
                {
                    case '{':
                        return ReadMembers(depth);
                    case '[':
                        return ReadItems(depth);
                    case '"':
                        return ReadString();
                    case 't':
                        return ReadWord("true", true);
                    case 'f':
                        return ReadWord("false", false);
                    case 'n':
                        return ReadWord("null", null);
                    default:
                        return ReadNumber();
                }
            }

            public void ReadEnd()
            {
                SkipSpace();
                if (at < text.Length) throw Wrong();
            }

            private Dictionary<string, object> ReadMembers(int depth)
            {
                var members = new Dictionary<string, object>();
                at += 1;
                if (Take('}')) return members;
                do
                {
                    if (Peek() != '"') throw Wrong();
                    var name = ReadString();
                    if (!Take(':')) throw Wrong();
                    members[name] = ReadValue(depth + 1);
                } while (Take(','));
                if (!Take('}')) throw Wrong();
                return members;
            }

            private List<object> ReadItems(int depth)
            {
                var items = new List<object>();
                at += 1;
                if (Take(']')) return items;
                do items.Add(ReadValue(depth + 1));
                while (Take(','));
                if (!Take(']')) throw Wrong();
                return items;
            }

            private string ReadString()
            {
                var value = new StringBuilder();
                for (at += 1; ; at += 1)
                {
                    if (at >= text.Length || text[at] < ' ') throw Wrong();
                    var c = text[at];
                    if (c == '"') break;
                    value.Append(c == '\\' ? ReadEscape() : c);
                }
                at += 1;
                return value.ToString();
            }

            /// <summary>Leaves the place at the last character of the escape.</summary>
            private char ReadEscape()
            {
                at += 1;
                var kind = at < text.Length ? text[at] : '\0';
                var found = "\"\\/bfnrt".IndexOf(kind);
                if (found >= 0) return "\"\\/\b\f\n\r\t"[found];
                int code = 0;
                var isCode = kind == 'u' && at + 4 < text.Length
                    && int.TryParse(text.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code);
                if (!isCode) throw Wrong();
                at += 4;
                return (char)code;
            }

            private object ReadNumber()
            {
                var start = at;
                while (at < text.Length && "+-.0123456789Ee".IndexOf(text[at]) >= 0) at += 1;
                var digits = text.Substring(start, at - start);
                long whole;
                if (long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole)) return whole;
                double number;
                if (double.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out number)) return number;
                throw Wrong();
            }

            private object ReadWord(string word, object value)
            {
                if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Wrong();
                at += word.Length;
                return value;
            }

            private char Peek()
            {
                SkipSpace();
                return at < text.Length ? text[at] : '\0';
            }

            private bool Take(char c)
            {
                if (Peek() != c) return false;
                at += 1;
                return true;
            }

            private void SkipSpace()
            {
                while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at += 1;
            }

            private PlayerDataException Wrong()
            {
                var message = "The text is no JSON, as its character " + at.ToString(CultureInfo.InvariantCulture) + " shows.";
                return new PlayerDataException(PlayerDataErrorCode.Config, message);
            }
        }
    }
}
