/** Native addons, WebAssembly, models and fonts are found beside their packages' own files; the rest is bundled. */
export const EXTERNAL = [
  '@photostructure/sqlite',
  'serialport',
  'us-atlas',
  'fasttext.wasm.js',
  'xz-decompress',
  'pdfkit',
  'dejavu-fonts-ttf'
]
