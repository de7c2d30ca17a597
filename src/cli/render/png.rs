//! The sheet as PNG: the same SVG, drawn by resvg with a font of its own.
//!
//! Promises: the same SVG gives the same bytes, on a machine without fonts too. Must not know plans.

use resvg::{tiny_skia, usvg};

/// Draws `svg` into the bytes of a PNG.
///
/// # Errors
/// The text of what resvg refused: in practice only a sheet without a size.
pub(super) fn encode(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = usvg::Options { font_family: "Noto Sans".to_owned(), ..usvg::Options::default() };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(notosans::REGULAR_TTF.to_vec());
    fonts.load_font_data(notosans::BOLD_TTF.to_vec());
    let tree = usvg::Tree::from_str(svg, &options).map_err(|e| e.to_string())?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("the picture has no size")?;
    resvg::render(&tree, tiny_skia::Transform::default(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| e.to_string())
}
