// What the build puts into each file with markup: calls of h are shorter than those of the automatic runtime.
export { Fragment, h } from "preact";
