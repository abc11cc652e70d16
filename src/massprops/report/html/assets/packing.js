// Arrays of numbers from base64, as the page carries them: little-endian, like every machine with a browser.

function unpacked(text, Type) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Type(bytes.buffer);
}

// A colour of the style sheet, which differs by day and night, as numbers from 0 to 1.
function themed(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);
}
