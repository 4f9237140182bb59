"""Embedded media: videos, audio, maps, posts of social networks and code playgrounds, each as a link with a title.

A page embeds them by `iframe`, `video`, `audio`, `object` and `embed`, whose content is no text. An `iframe` counts
only if its host is known to serve media: most others are advertisements and trackers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from duramen.dom.tag_sets import HEADING_TAGS
from duramen.dom.tree import Tree
from duramen.dom.urls import resolve_safe_url, split_host_and_path

_PLAYER_TAGS: Final = ("video", "audio", "amp-video", "amp-audio")
_YOUTUBE_TAGS: Final = ("amp-youtube", "lite-youtube")
_EMBED_TAGS: Final = ("iframe", "object", "embed", "amp-iframe", *_PLAYER_TAGS, *_YOUTUBE_TAGS)
_YOUTUBE_CLASS: Final = "youtube-player"
"""The class of a box that a script replaces by a player when a reader clicks on it (WP Rocket)."""

_KIND_OF_HOST: Final = {
    host: kind
    for kind, hosts in {
        "Video": "youtube.com youtube-nocookie.com youtu.be vimeo.com dailymotion.com dai.ly wistia.com wistia.net"
        " loom.com ted.com twitch.tv rumble.com bilibili.com youku.com v.qq.com rutube.ru vk.com tiktok.com"
        " brightcove.net jwplayer.com jwplatform.com kaltura.com streamable.com vidyard.com peertube.tv nicovideo.jp",
        "Audio": "soundcloud.com spotify.com bandcamp.com podcasts.apple.com music.apple.com mixcloud.com audioboom.com"
        " simplecast.com anchor.fm megaphone.fm libsyn.com buzzsprout.com deezer.com",
        "Map": "google.com/maps maps.google.com openstreetmap.org bing.com/maps mapbox.com arcgis.com",
        "Post": "twitter.com x.com instagram.com facebook.com reddit.com linkedin.com bsky.app threads.net",
        "Code": "codepen.io jsfiddle.net codesandbox.io stackblitz.com replit.com gist.github.com observablehq.com"
        " jsbin.com",
        "Chart": "datawrapper.de datawrapper.dwcdn.net infogram.com flourish.studio public.tableau.com plot.ly",
        "Document": "slideshare.net speakerdeck.com scribd.com docs.google.com issuu.com archive.org figma.com",
    }.items()
    for host in hosts.split()
}
_YOUTUBE = re.compile(r"(?:youtube(?:-nocookie)?\.com/(?:embed|v|shorts)/|youtu\.be/)([\w-]{6,20})")
_VIMEO = re.compile(r"player\.vimeo\.com/video/(\d+)")
_MAX_TITLE_CHARS: Final = 200
_MAX_CHILDREN: Final = 20


_POST_NAMES: Final = frozenset(
    "twitter-tweet twitter-video instagram-media tiktok-embed bluesky-embed mastodon-embed reddit-embed-bq"
    " reddit-card fb-post text-post-media".split()
)
"""Classes of the quotes that scripts of social networks replace by the post."""
_QUOTE_NAME: Final = "quote"
"""The class of an `aside` of Discourse that holds the author and the words of a post."""
_PREVIEW_NAME: Final = "onebox"
"""The class of an `aside` of Discourse that shows what is behind a link."""
_MAX_PREVIEW_NODES: Final = 60


class Embed(NamedTuple):
    """Embedded media: the element, the address to show it at, and what to call it."""

    node: int
    url: str
    title: str


def find_embeds(tree: Tree, within: range | None = None) -> dict[int, Embed]:
    """Return the embedded media of a page by their element."""
    embeds: dict[int, Embed] = {}
    for tag in _EMBED_TAGS:
        for node in tree.find_all(tag, within):
            embed = _read_embed(tree, node, tag)
            if embed is not None:
                embeds[node] = embed
    for node, _ in tree.attribute_values_containing(_YOUTUBE_CLASS, "class", tree.find_all("div", within)):
        if embed := _read_youtube(tree.attributes[node], node):
            embeds[node] = embed
    asides = tree.find_all("aside", within)
    for node, classes in zip(asides, tree.attribute_values("class", asides), strict=True):
        if classes and _PREVIEW_NAME in classes.split() and (preview := _read_preview(tree, node)):
            embeds[node] = preview
    return embeds


def _read_preview(tree: Tree, node: int) -> Embed | None:
    """Return the link that a preview shows, with its heading as the title."""
    url = tree.attributes[node].get("data-onebox-src")
    inside = range(node + 1, min(tree.end[node], node + _MAX_PREVIEW_NODES))
    heading = next((at for at in inside if tree.tag[at] in HEADING_TAGS), -1)
    if not url or heading < 0:
        return None
    title = " ".join("".join(tree.text[heading : min(tree.end[heading], inside.stop)]).split())
    return Embed(node, url, title[:_MAX_TITLE_CHARS] or url)


def find_quoted_posts(tree: Tree, within: range | None = None) -> list[int]:
    """Return the quotes of posts of social networks and of Discourse.

    Quotes of social networks have a link to the post, those of Discourse have the author.
    """
    quotes = tree.find_all("blockquote", within)
    values = tree.attribute_values("class", quotes)
    posts = [
        node
        for node, classes in zip(quotes, values, strict=True)
        if classes and not _POST_NAMES.isdisjoint(classes.lower().split())
    ]
    asides = tree.find_all("aside", within)
    for node, classes in zip(asides, tree.attribute_values("class", asides), strict=True):
        if classes and _QUOTE_NAME in classes.split():
            posts.append(node)
    return sorted(posts)


def _read_embed(tree: Tree, node: int, tag: str) -> Embed | None:
    attributes = tree.attributes[node]
    if tag in _YOUTUBE_TAGS:
        return _read_youtube(attributes, node)
    source = next((value for name in _ADDRESSES if (value := attributes.get(name))), None)
    if tag in _PLAYER_TAGS:
        url = resolve_safe_url(source or _find_source(tree, node), None)
        return None if url is None else Embed(node, url, _title(attributes, tag.removeprefix("amp-").capitalize()))
    url = resolve_safe_url(source, None)
    kind = None if url is None else _find_kind(url)
    if url is None or kind is None:
        return None
    return Embed(node, _normalize(url), _title(attributes, kind))


def _read_youtube(attributes: Mapping[str, str | None], node: int) -> Embed | None:
    video = next((value for name in _VIDEO_NAMES if (value := attributes.get(name))), None)
    if video is None or _VIDEO_NAME.fullmatch(video) is None:
        return None
    return Embed(node, f"https://www.youtube.com/watch?v={video}", _title(attributes, "Video"))


_VIDEO_NAMES: Final = ("data-videoid", "videoid", "data-id")
_VIDEO_NAME = re.compile(r"[\w-]{6,20}")
_ADDRESSES: Final = ("src", "data-src", "data-lazy-src", "data-litespeed-src", "data-cookieblock-src", "data")


def _find_source(tree: Tree, node: int) -> str | None:
    """Return the address in the first `source` element of a video or an audio element."""
    for count, child in enumerate(tree.children(node)):
        if count > _MAX_CHILDREN:
            break
        if tree.tag[child] == "source" and (source := tree.attributes[child].get("src")):
            return source
    return None


def _find_kind(url: str) -> str | None:
    """Return the kind of media that an address is known to serve, by its host, or by host and path."""
    host, path = split_host_and_path(url if "//" not in url[:2] else f"https:{url}")
    labels = host.split(".")
    for start in range(len(labels) - 1):
        name = ".".join(labels[start:])
        kind = _KIND_OF_HOST.get(name) or _KIND_OF_HOST.get(f"{name}/{path.split('/')[1] if '/' in path else ''}")
        if kind:
            return kind
    return None


def _normalize(url: str) -> str:
    """Return the address of the page that shows a video, in place of that of its player."""
    if match := _YOUTUBE.search(url):
        return f"https://www.youtube.com/watch?v={match[1]}"
    if match := _VIMEO.search(url):
        return f"https://vimeo.com/{match[1]}"
    return f"https:{url}" if url.startswith("//") else url


def _title(attributes: Mapping[str, str | None], kind: str) -> str:
    title = " ".join((attributes.get("title") or attributes.get("aria-label") or "").split())
    return title[:_MAX_TITLE_CHARS] or kind
