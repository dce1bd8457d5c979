// Makes both bundles: see README.md.
import { readFileSync, writeFileSync } from "fs";
import { createRequire } from "module";
import { brotliCompressSync, constants } from "zlib";
import esbuild from "esbuild";

const require = createRequire(import.meta.url);
const acorn = require("acorn");
const { environmentPlugin } = require("esbuild-plugin-environment");
const { glsl } = require("esbuild-plugin-glsl");
const inlineCss = require("esbuild-plugin-inline-css");

const { version } = require("plotly.js/package.json");

// What Plotly always brings and no chart here has.
const UNUSED = ["images", "rangeselector", "rangeslider", "sliders", "updatemenus"];
const withoutDescriptions = (source) => {
  const found = [];
  const look = (node) => {
    if (!node || typeof node.type !== "string") return;
    if (node.type === "Property" && !node.shorthand && node.key.name === "description") found.push(node.value);
    else Object.values(node).flat().forEach((part) => { if (part && typeof part === "object") look(part); });
  };
  look(acorn.parse(source, { ecmaVersion: "latest", allowHashBang: true }));
  return found.toReversed().reduce((text, { start, end }) => `${text.slice(0, start)}""${text.slice(end)}`, source);
};

const withoutUnused = {
  name: "without-unused",
  setup(build) {
    const filter = new RegExp(`plotly\\.js/src/components/(${UNUSED.join("|")})/index\\.js$`);
    build.onLoad({ filter }, ({ path }) => ({
      contents: `module.exports = { moduleType: "component", name: "${path.split("/").at(-2)}" };`,
    }));
    // Texts for Plotly's own documentation, which its bundles leave out, too.
    build.onLoad({ filter: /plotly\.js\/src\/.*\.js$/ }, ({ path }) => ({ contents: withoutDescriptions(readFileSync(path, "utf8")) }));
    build.onLoad({ filter: /maplibre-gl\.css$/ }, () => ({ contents: "", loader: "js" }));
  },
};

const PACKED = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };

const bundle = async (kind, traces) => {
  const modules = traces.map((name) => `require("plotly.js/lib/${name}")`);
  const contents = `const Plotly = require("plotly.js/lib/core"); Plotly.register([${modules}]); module.exports = Plotly;`;
  const licence = `/**\n* plotly.js (${kind} - minified) v${version}\n* Copyright 2012-2026, Plotly, Inc.\n* Licensed under the MIT license\n*/`;
  const file = `plotly-${kind}-${version}.min.js`;
  // As plotly.js builds its own bundles (esbuild-config.js in its package).
  await esbuild.build({
    stdin: { contents, resolveDir: process.cwd() }, outfile: file, banner: { js: licence },
    format: "iife", globalName: "Plotly", bundle: true, minify: true, target: "es2016",
    plugins: [withoutUnused, inlineCss(), glsl({ minify: true }), environmentPlugin({ NODE_DEBUG: false })],
    alias: { regl: "@plotly/regl", stream: "stream-browserify" }, define: { global: "window", "define.amd": "false" },
  });
  writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), PACKED));
};

await bundle("cartesian", ["bar", "box", "heatmap"]);
await bundle("surfaces", ["heatmap", "scatter3d", "surface"]);
