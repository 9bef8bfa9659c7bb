/** What an element may be made of. Everything becomes text or an attribute, never markup. */
export type Child = Node | string | null | readonly Child[];

interface Attributes {
  readonly [name: string]: string | boolean | null | ((event: Event) => void);
}

const SVG = 'http://www.w3.org/2000/svg' as const;

/** An element; `null` and `false` leave an attribute out, `on…` names an event. */
export function h(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElement {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  append(element, children);
  return element;
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null) continue;
    if (typeof child === 'string' || child instanceof Node) parent.append(child);
    else append(parent, child);
  }
}
