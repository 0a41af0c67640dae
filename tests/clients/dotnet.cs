// A typical .NET Framework client: Json.NET serializes every member, set or not, and DateTime.Today
// with its offset. Arguments: address, company, password. Prints a line for each record that should be stored.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Text;
using System.Xml.Serialization;
using Newtonsoft.Json;

public class Revenue
{
    public int InntekstplanId;
    public DateTime? Dato;
    public string ipType;
    public string AvdelingID;
    public decimal? Omsetning;
    public string Merknad;
}

class Stored
{
    public int InntektsPlanId;
    public DateTime Dato;
    public decimal Omsetning;
}

static class Program
{
    const string SetPerDate = "/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato";

    static string address, account;
    static readonly HttpClient Http = new HttpClient();
    static readonly List<string> Meant = new List<string>();

    static void Main(string[] args)
    {
        address = args[0];
        account = "firma=" + Uri.EscapeDataString(args[1]) + "&passord=" + args[2];

        // HttpClient. DateTime.Today is local, a literal has no kind, and both mean dates.
        var days = new[]
        {
            DateTime.Today,
            new DateTime(2024, 1, 31, 0, 0, 0, DateTimeKind.Local),
            new DateTime(2024, 3, 31, 0, 0, 0, DateTimeKind.Local),
            new DateTime(2024, 10, 27, 0, 0, 0, DateTimeKind.Local),
            new DateTime(2024, 5, 1),
            new DateTime(2024, 5, 2, 0, 0, 0, DateTimeKind.Utc),
        };
        foreach (var day in days)
        {
            var rows = new[] { new Revenue { Dato = day, AvdelingID = "20", Omsetning = 12500.50m } };
            Post<Stored[]>(SetPerDate, rows);
            var again = Post<Stored[]>(SetPerDate, rows);
            if (again[0].Dato != DateTime.SpecifyKind(day, DateTimeKind.Unspecified)) throw new Exception("another day: " + again[0].Dato);
            Means(day, "20", 12500.50m);
        }
        var evening = new DateTime(2024, 6, 1, 23, 59, 59, 999, DateTimeKind.Local);
        Post<Stored[]>(SetPerDate, new[] { new Revenue { Dato = evening, AvdelingID = "21", Omsetning = 99999999999.9999m } });
        Means(evening, "21", 99999999999.9999m);

        // HttpWebRequest, chunked, with Expect: 100-continue; a StreamWriter in UTF-8 writes a byte order mark.
        var july = new DateTime(2024, 7, 15);
        Upload(SetPerDate, new[] { new { Dato = july, AvdelingID = "007", Omsetning = "-49.90" } });
        Means(july, "007", -49.9m);

        // WebClient; a double slash between base URL and path, in inconsistent letter case.
        var client = new WebClient { Encoding = Encoding.UTF8 };
        client.Headers[HttpRequestHeader.ContentType] = "application/json";
        client.UploadString(address + "//DEV//omsetning/lagreelleroppdateromsetningPRDATO/?" + account,
            "[{\"dato\":\"2024-07-16\",\"avdelingid\":\"Ærø\",\"omsetning\":7}]");
        Means(new DateTime(2024, 7, 16), "Ærø", 7);

        // An unset int is 0.
        var autumn = new DateTime(2024, 9, 2, 0, 0, 0, DateTimeKind.Local);
        var inserted = Post<Stored>("/dev/Omsetning/Lagre", new Revenue { Dato = autumn, AvdelingID = "30", Omsetning = 100 });
        Post<Stored>("/dev/Omsetning/Oppdater", new Revenue { InntekstplanId = inserted.InntektsPlanId, Omsetning = 80.05m });
        Post<Stored[]>("/dev/Omsetning/LagreEllerOppdaterListe", new[]
        {
            new Revenue { InntekstplanId = inserted.InntektsPlanId, Omsetning = 81.05m },
            new Revenue { Dato = autumn, AvdelingID = "31", Omsetning = 5 },
        });
        Means(autumn, "30", 81.05m);
        Means(autumn, "31", 5);

        foreach (var part in new object[] { 0.1, "0.2", 0.3m })
            Post<Stored>("/dev/Omsetning/AggsertOmsetning", new { Dato = autumn, AvdelingID = 40, Omsetning = part });
        Means(autumn, "40", 0.6m);

        // XmlSerializer: its own root and order, nil for unset members.
        var xml = new MemoryStream();
        new XmlSerializer(typeof(Revenue[])).Serialize(new StreamWriter(xml, Encoding.UTF8),
            new[] { new Revenue { Dato = autumn.AddDays(1), AvdelingID = "50", Omsetning = 250.25m } });
        var content = new ByteArrayContent(xml.ToArray());
        content.Headers.Add("Content-Type", "text/xml; charset=utf-8");
        Read<Stored[]>(SetPerDate, content);
        Means(autumn.AddDays(1), "50", 250.25m);

        var filter = "Dato eq datetime('2024-07-16') and AvdelingID eq 'Ærø'";
        var found = Http.GetStringAsync(address + "/dev/omsetning/finn?$filter=" + filter + "&" + account).Result;
        if (JsonConvert.DeserializeObject<Stored[]>(found).Length != 1) throw new Exception("found " + found);

        Console.OutputEncoding = new UTF8Encoding(false);
        foreach (var line in Meant) Console.WriteLine(line);
    }

    static void Means(DateTime day, string department, decimal amount)
    {
        Meant.Add(day.ToString("yyyy-MM-dd") + " " + department + " " + amount.ToString("0.####", CultureInfo.InvariantCulture));
    }

    static T Post<T>(string path, object body)
    {
        return Read<T>(path, new StringContent(JsonConvert.SerializeObject(body), Encoding.UTF8, "application/json"));
    }

    static T Read<T>(string path, HttpContent content)
    {
        var answer = Http.PostAsync(address + path + "?" + account, content).Result;
        var text = answer.Content.ReadAsStringAsync().Result;
        if (answer.StatusCode != HttpStatusCode.OK) throw new Exception(path + ": " + answer.StatusCode + " " + text);
        return JsonConvert.DeserializeObject<T>(text);
    }

    static void Upload(string path, object body)
    {
        var request = (HttpWebRequest)WebRequest.Create(address + path + "?" + account);
        request.Method = "POST";
        request.ContentType = "application/json";
        request.SendChunked = true;
        request.ServicePoint.Expect100Continue = true;
        using (var writer = new StreamWriter(request.GetRequestStream(), Encoding.UTF8))
            writer.Write(JsonConvert.SerializeObject(body));
        request.GetResponse().Close();
    }
}
