// Names of lines have their colours, a little nearer to the text's: letters need more contrast than lines do.
const NEARER = 0.3, HEX = /^#[0-9a-f]{6}$/i;
const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
const nearer = (colour, text) => HEX.test(colour) && HEX.test(text)
  ? `rgb(${channels(colour).map((value, i) => Math.round(value + NEARER * (channels(text)[i] - value))).join()})` : colour;

// A text whose coloured words are legible.
const coloured = (words, text) => words.replace(/color:(#[0-9a-f]{6})/gi, (_, colour) => `color:${nearer(colour, text)}`);

// The annotations of a layout with legible colours; each keeps its own, since a picture is saved on white whatever the theme.
const legible = (annotations, text) => annotations?.map((one) => {
  const colour = one.keptColour ?? one.font?.color;
  return colour ? { ...one, keptColour: colour, font: { ...one.font, color: nearer(colour, text) } } : one;
});
