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

// Positions in ascending order, moved as little as possible to be `distance` apart or more, within 0 and `most`: those that touch
// form a group around the mean of where they belong, and groups that touch are joined. Too many of them begin at 0.
function spread(positions, distance, most) {
  const start = (group) => {
    const depth = distance * (group.length - 1), mean = group.reduce((sum, one) => sum + one, 0) / group.length;
    return Math.max(0, Math.min(mean - depth / 2, most - depth));
  };
  const groups = [];
  for (const position of positions) {
    groups.push([position]);
    while (groups.length > 1 && start(groups.at(-1)) < start(groups.at(-2)) + distance * groups.at(-2).length)
      groups.splice(-2, 2, [...groups.at(-2), ...groups.at(-1)]);
  }
  return groups.flatMap((group) => group.map((_, i) => start(group) + i * distance));
}

// The annotations of a layout, names at the ends of lines moved apart; `depth` is the height of the whole plot in pixels.
const NAME = 16;
function apart(annotations, layout, depth, times) {
  const groups = new Map();
  (annotations ?? []).filter(({ name }) => name === END_OF_LINE).forEach((one) => groups.set(one.yref, [...(groups.get(one.yref) ?? []), one]));
  const shifts = new Map([...groups].flatMap(([yref, names]) => {
    const { range: [low, high], domain: [bottom, top] = [0, 1] } = layout[yref.replace("y", "yaxis")];
    const most = (top - bottom) * depth, wanted = names.map(({ y }) => (y - low) / (high - low) * most);
    return spread(wanted, NAME * times, most).map((place, i) => [names[i], Math.round(place - wanted[i])]);
  }));
  return annotations?.map((one) => shifts.has(one) ? { ...one, yshift: shifts.get(one) } : one);
}
