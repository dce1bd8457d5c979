// Bold text without its marks.
const plain = (text) => text.replace(/\*\*(.+?)\*\*/g, "$1").replace(/\\([*$\\_])/g, "$1");
