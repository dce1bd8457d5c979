// Makes plotly-surfaces: see README.md.
import { createRequire } from "module";
import esbuild from "esbuild";

const require = createRequire(import.meta.url);
const { environmentPlugin } = require("esbuild-plugin-environment");
const { glsl } = require("esbuild-plugin-glsl");
const inlineCss = require("esbuild-plugin-inline-css");

const { version } = require("plotly.js/package.json");
const licence = `/**\n* plotly.js (surfaces - minified) v${version}\n* Copyright 2012-2026, Plotly, Inc.\n* Licensed under the MIT license\n*/`;

const traces = ["heatmap", "scatter3d", "surface"].map((name) => `require("plotly.js/lib/${name}")`);
const source = `const Plotly = require("plotly.js/lib/core"); Plotly.register([${traces}]); module.exports = Plotly;`;

// As plotly.js builds its own bundles (esbuild-config.js in its package).
await esbuild.build({
  stdin: { contents: source, resolveDir: process.cwd() }, outfile: "plotly-surfaces.min.js",
  banner: { js: licence },
  format: "iife", globalName: "Plotly", bundle: true, minify: true, target: "es2016",
  plugins: [inlineCss(), glsl({ minify: true }), environmentPlugin({ NODE_DEBUG: false })],
  alias: { regl: "@plotly/regl", stream: "stream-browserify" }, define: { global: "window", "define.amd": "false" },
});
