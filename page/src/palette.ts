// Colours of the page for a canvas, which takes no names of styles.

/** A colour of the page by its name: with light and dark decided, as `rgb(...)`. */
export function paletteOf(box: HTMLElement, dark: boolean): (name: string) => string {
  return (name) => {
    const probe = box.appendChild(document.createElement("i"));
    probe.className = "probe";
    probe.style.colorScheme = dark ? "dark" : "light";
    probe.style.color = `var(${name})`;
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };
}
