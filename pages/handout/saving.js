// Puts plotly.js into a file, and saves it; each file once, however often the page is drawn. The views of a talk come one by one,
// and the file around them with the last.
const asText = async (stream) => {
  const bytes = new Uint8Array(await new Response(stream.pipeThrough(new CompressionStream("gzip"))).arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
};

export default async function ({ data, setTriggerValue }) {
  if ((window.savedFiles ??= new Set()).has(data.stamp)) return;
  window.savedFiles.add(data.stamp);
  let file = data.file;
  if (data.number) {
    if (data.number === 1) window.savedViews = [];
    window.savedViews[data.number - 1] = file;
    if (!data.around) return setTriggerValue("taken", data.number);
    const views = JSON.stringify(window.savedViews).replaceAll("<", "\\u003c");
    file = data.around.replace(data.views, () => views);
  }
  if (file.includes(data.mark)) file = file.replace(data.mark, await asText((await fetch(location.origin + data.plotly)).body));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([file], { type: "text/html" }));
  link.download = data.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  if (data.number) setTriggerValue("taken", data.number);
}
